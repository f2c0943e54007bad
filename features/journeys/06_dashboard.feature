@journey
Feature: Navigates to /dashboard
  As with the root, Anna ends up on /organizations/my-organization/-/dashboard. Global pages are
  not for her.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @doc:buffering/dashboard
  Rule: Dashboard on any cell

    Scenario: the global dashboard redirects to the organization's dashboard
      Given anna visited "/organizations/my-organization/-/dashboard"
      When anna visits "/dashboard"
      And anna follows the redirect
      Then the exchange was (BF-09)
        """
        user->>router_eu: GET /dashboard
        router_eu->>any_eu_cell: GET /dashboard
        %% BF-16 cells send no cache header for it
        any_eu_cell-->>user: 302 /organizations/my-organization/-/dashboard [cell: without X-Gitlab-Cell-Cache]
        %% CA-11 the organization's prefix is cached
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/organizations/my-organization/}]
        """

  @learning @doc:routes-learning/dashboard
  Rule: Dashboard fixed to the legacy cell

    Scenario: the legacy cell redirects to the organization's dashboard
      When anna visits "/dashboard"
      And anna follows the redirect
      Then the exchange was (LN-20)
        """
        user->>router_eu: GET /dashboard
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
        any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "routable"}
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 302 /organizations/my-organization/-/dashboard
        %% LN-01 the scoped dashboard has its own owner
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/organizations/my-organization/-/dashboard
        any_eu_cell-->>router_eu: 200 {path: "/organizations/my-organization", cell: "cell_eu0", source: "routable"}
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>user: 200
        """

    Scenario: the legacy cell redirects again at the second visit
      Given anna visited "/dashboard"
      When anna visits "/dashboard"
      Then the exchange was (LN-20)
        """
        user->>router_eu: GET /dashboard
        opt the router did not cache it
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
          any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "routable"}
        end
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 302 /organizations/my-organization/-/dashboard
        """

    Scenario: the organization's dashboard has its own entry
      Given anna visited "/organizations/my-organization/-/dashboard"
      When anna visits "/organizations/my-organization/-/dashboard"
      Then the exchange was (LN-15)
        """
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        %% CA-11 the organization's prefix is cached
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>user: 200
        """

  @buffering @learning @any-cache @doc:buffering/dashboard @doc:routes-learning/dashboard
  Rule: Organization members

    @doc:buffering/default-organization @doc:routes-learning/default-organization
    Scenario: the global dashboard is not served to a member
      When anna visits "/dashboard"
      Then anna is redirected to "/organizations/my-organization/-/dashboard" (OR-07)

    @doc:buffering/default-organization @doc:routes-learning/default-organization
    Scenario Outline: another global page is not served to a member, <page>
      The documents say any global pages "like" the dashboard; A-83 says which the cells have.
      When anna visits "<path>"
      Then anna is redirected to "/organizations/my-organization/-/dashboard" (OR-07)

      Examples:
        | page           | path                             |
        | all projects   | /dashboard/projects              |
        | a whole search | /search?search=gitlab-org/gitlab |

    Scenario: the global dashboard leads a member to the organization's dashboard
      When anna visits "/dashboard"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (GL-03)
      And anna sees the text "Organization: My Organization" (OR-09)

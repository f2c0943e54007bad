@journey
Feature: Navigates to /
  Anna's default organization is my-organization. Any cell knows it and redirects her to the
  organization's dashboard, which only Cell EU0 serves.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @doc:buffering/root
  Rule: Root on any cell

    @req:BF-09
    @doc:buffering/root:drawing @doc:buffering/root:item-3 @doc:buffering/root:item-5
    Scenario: the root redirects to the organization's dashboard from any cell
      Given anna visited "/organizations/my-organization/-/dashboard"
      When anna visits "/"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (CA-11)
      And the exchange was (BF-09)
        """
        user->>router_eu: GET /
        router_eu->>any_eu_cell: GET /
        %% BF-16 cells send no cache header for the root
        any_eu_cell-->>user: 302 /organizations/my-organization/-/dashboard [cell: without X-Gitlab-Cell-Cache]
        %% CA-11 the organization's prefix is cached
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/organizations/my-organization/}]
        """

    @req:BF-03
    Scenario: the organization's dashboard is found by an internal redirect
      When anna visits "/"
      And anna follows the redirect, asking cell_eu1 first
      Then anna sees the page "My Company Dashboard" (RT-08)
      And the last exchange was (BF-03)
        """
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        router_eu->>cell_eu1: GET /organizations/my-organization/-/dashboard
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/organizations/my-organization/}]
        """

    @doc:buffering/root:item-2
    Scenario: the root adds no cache entry
      Given anna visited "/"
      When anna visits "/my-company/my-project", asking cell_eu1 first
      Then the exchange was (CA-12)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

  @learning @doc:routes-learning/root
  Rule: Root without an entry

    @req:LN-10
    @doc:routes-learning/root:drawing @doc:routes-learning/root:item-3 @doc:routes-learning/root:item-5
    Scenario: the root redirects to the organization's dashboard with or without a pre-flight
      Given anna visited "/organizations/my-organization/-/dashboard"
      When anna visits "/"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (CA-11)
      And the exchange was (LN-10)
        """
        user->>router_eu: GET /
        opt the router asks about the root too
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/
          any_eu_cell-->>router_eu: 404
        end
        alt a cell of the region responds
          router_eu->>any_eu_cell: GET /
          any_eu_cell-->>user: 302 /organizations/my-organization/-/dashboard
        else the latest cell responds
          router_eu->>cell_us0: GET /
          cell_us0-->>user: 302 /organizations/my-organization/-/dashboard
        end
        %% CA-11 the organization's prefix is cached
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>user: 200
        """

    @req:LN-01
    Scenario: the organization's dashboard is found by a pre-flight
      When anna visits "/"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (GL-02)
      And the last exchange was (LN-01)
        """
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/organizations/my-organization/-/dashboard
        any_eu_cell-->>router_eu: 200 {path: "/organizations/my-organization", cell: "cell_eu0", source: "routable"}
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>user: 200
        """

    @doc:routes-learning/root:item-2
    Scenario: the root does not cover other paths
      Given anna visited "/"
      When anna visits "/my-company/my-project"
      Then the exchange was (CA-12)
        """
        user->>router_eu: GET /my-company/my-project
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/my-company/my-project
        any_eu_cell-->>router_eu: 200 {path: "/my-company", cell: "cell_eu0", source: "routable"}
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200
        """

  @buffering @learning @any-cache @doc:buffering/root @doc:routes-learning/root
  Rule: Dashboard of the organization

    @doc:buffering/root:item-4 @doc:routes-learning/root:item-4
    Scenario: the root redirects a member to the default organization
      When anna visits "/"
      Then anna is redirected to "/organizations/my-organization/-/dashboard" (GL-01)

    @doc:buffering/root:item-6 @doc:buffering/root:item-7 @doc:routes-learning/root:item-6 @doc:routes-learning/root:item-7
    Scenario: the dashboard shows which organization it belongs to
      When anna visits "/"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (GL-02)
      And anna sees the text "Organization: My Organization" (OR-09)
      And anna sees the notice "default organization" (OR-13)
      And anna sees the notice "choose another in your settings" (OR-13)

    @doc:buffering/default-organization @doc:routes-learning/default-organization
    Scenario: the dashboard shows no other organization
      When anna visits "/"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (OR-15)
      And anna does not see the text "GitLab.org" (OR-15)

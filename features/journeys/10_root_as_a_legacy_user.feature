@journey
Feature: Navigates to / as a legacy user
  Gabe's default organization is GitLab.com Public. Any cell redirects him to /dashboard, the
  global view that only legacy users may see and only Cell US0 renders.

  Background:
    Given gabe is signed in

  @buffering @doc:buffering/root-legacy
  Rule: Dashboard by redirect

    @req:BF-09
    @doc:buffering/root-legacy:drawing @doc:buffering/root-legacy:item-2 @doc:buffering/root-legacy:item-3 @doc:buffering/root-legacy:item-6
    @doc:buffering/root-legacy:item-7
    Scenario: the root leads to the dashboard on the legacy cell
      The router picks Cell US1 as drawn in one of two visits; 40 without it come once in 10^12
      runs.
      Given a cold US router
      When gabe visits "/"
      And gabe visits "/dashboard" until cell_us1 was asked, at most 40 times
      Then the target "/dashboard" reached cell_us1 (Z-76)
      And gabe sees the page "Dashboard" (BF-03)
      And the exchange was (BF-09)
        """
        user->>router_us: GET /
        router_us->>any_us_cell: GET /
        any_us_cell-->>user: 302 /dashboard [cell: without X-Gitlab-Cell-Cache]
        %% BF-03 the dashboard is redirected to the legacy cell
        user->>router_us: GET /dashboard
        opt the router picks Cell US1, as drawn
          router_us->>cell_us1: GET /dashboard
          cell_us1-->>router_us: 302 /dashboard X-Gitlab-Cell-Redirect={cell:Cell US0}
        end
        router_us->>cell_us0: GET /dashboard
        cell_us0-->>user: 200
        """

    @req:GL-05
    Scenario: a cell in Europe redirects the dashboard to the legacy cell
      Given a cold EU router
      When gabe visits "/dashboard"
      Then gabe sees the page "Dashboard" (RT-08)
      And the exchange was (GL-05)
        """
        user->>router_eu: GET /dashboard
        router_eu->>any_eu_cell: GET /dashboard
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        %% RG-02 the legacy cell is in another region
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

    @doc:buffering/root-legacy:item-5
    Scenario: a second visit to the dashboard is redirected again
      Given a cold EU router
      And gabe visited "/dashboard"
      When gabe visits "/dashboard"
      Then the exchange was (CA-13)
        """
        user->>router_eu: GET /dashboard
        router_eu->>any_eu_cell: GET /dashboard
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/root-legacy
  Rule: Dashboard by pre-flight

    @req:LN-10
    @doc:routes-learning/root-legacy:drawing @doc:routes-learning/root-legacy:item-2 @doc:routes-learning/root-legacy:item-3
    @doc:routes-learning/root-legacy:item-6 @doc:routes-learning/root-legacy:item-7
    Scenario: the root leads to the dashboard fixed to the legacy cell
      Given a cold US router
      When gabe visits "/"
      And gabe follows the redirect
      Then gabe sees the page "Dashboard" (LN-20)
      And the exchange was (LN-10)
        """
        user->>router_us: GET /
        opt the router asks about the root too
          %% choice LN-17
          router_us->>any_us_cell: GET {learn}?method=GET&path_info=/
          any_us_cell-->>router_us: 404
        end
        router_us->>any_us_cell: GET /
        any_us_cell-->>user: 302 /dashboard
        %% LN-20 the dashboard is learned as the legacy cell's
        user->>router_us: GET /dashboard
        %% choice LN-17
        router_us->>any_us_cell: GET {learn}?method=GET&path_info=/dashboard
        any_us_cell-->>router_us: 200 {path: "/dashboard", cell: "cell_us0", source: "routable"}
        router_us->>cell_us0: GET /dashboard
        cell_us0-->>user: 200
        """

    @req:LN-07
    @doc:routes-learning/root-legacy:item-7
    Scenario: a dashboard that the learn response calls fixed is found as well
      Drawn as `routable`, though it is pinned to a cell and belongs to nobody (A-22).
      Given a cold US router
      And every cell responds to a pre-flight about "/dashboard" with the JSON '{"path": "/dashboard", "cell": "cell_us0", "source": "fixed", "exact": true}'
      When gabe visits "/dashboard"
      Then gabe sees the page "Dashboard" (LN-20)
      And the exchange was (LN-07)
        """
        user->>router_us: GET /dashboard
        %% choice LN-17
        router_us->>any_us_cell: GET {learn}?method=GET&path_info=/dashboard
        any_us_cell-->>router_us: 200 {path: "/dashboard", cell: "cell_us0", source: "fixed", exact: true}
        router_us->>cell_us0: GET /dashboard
        cell_us0-->>user: 200
        """

    Scenario: a router in Europe learns that the legacy cell owns the dashboard
      Given a cold EU router
      When gabe visits "/dashboard"
      Then gabe sees the page "Dashboard" (LN-20)
      And the exchange was (LN-20)
        """
        user->>router_eu: GET /dashboard
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
        %% GL-05 every cell names the legacy cell
        any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "routable"}
        %% RG-02 the legacy cell is in another region
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 200
        """

    @doc:routes-learning/root-legacy:item-5
    Scenario: a second visit to the dashboard reaches the legacy cell
      Given a cold EU router
      And gabe visited "/dashboard"
      When gabe visits "/dashboard"
      Then the exchange was (LN-20)
        """
        user->>router_eu: GET /dashboard
        opt the router did not cache it
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
          any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "routable"}
        end
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 200
        """

  @buffering @learning @doc:buffering/root-legacy @doc:routes-learning/root-legacy
  Rule: Global view

    @doc:buffering/root-legacy:item-4 @doc:routes-learning/root-legacy:item-4
    Scenario Outline: the root leads a legacy user to the global dashboard
      Given a cold <region> router
      When gabe visits "/"
      Then gabe is redirected to "/dashboard" (GL-04)

      Examples:
        | region |
        | US     |
        | EU     |

    @doc:buffering/root-legacy:item-8 @doc:buffering/team-member @doc:routes-learning/root-legacy:item-8 @doc:routes-learning/team-member
    Scenario Outline: the global dashboard is shown to a legacy user
      Given a cold <region> router
      When gabe visits "/dashboard"
      Then gabe sees the page "Dashboard" (GL-05)
      And gabe sees the text "GitLab" (OR-03)
      And cell_us0 responded last (GL-06)

      Examples:
        | region |
        | US     |
        | EU     |

    @doc:buffering/team-member @doc:routes-learning/team-member
    Scenario Outline: another global page comes from the legacy cell, <page>
      A-83 says which pages are global in addition to the dashboard.
      Given a cold EU router
      When gabe visits "<path>"
      Then gabe gets status 200 (GL-06)
      And cell_us0 responded last (GL-06)

      Examples:
        | page           | path                             |
        | all projects   | /dashboard/projects              |
        | a whole search | /search?search=gitlab-org/gitlab |

@journey
Feature: Global routes for non-authenticated users
  A visitor has no default organization. Global routes redirect to the login page.

  Background:
    Given a cold EU router

  @buffering @doc:buffering/non-authenticated
  Rule: Any cell

    Scenario: any cell redirects a visitor from the dashboard to the login
      When visitor visits "/dashboard"
      Then the exchange was (BF-09)
        """
        user->>router_eu: GET /dashboard
        router_eu->>any_eu_cell: GET /dashboard
        %% BF-16 cells send no cache header for it
        any_eu_cell-->>user: 302 /users/sign_in?redirect=/dashboard [cell: without X-Gitlab-Cell-Cache]
        """

    Scenario: any cell redirects a visitor from the root to the login
      When visitor visits "/"
      Then the exchange was (BF-09)
        """
        user->>router_eu: GET /
        router_eu->>any_eu_cell: GET /
        %% BF-16 cells send no cache header for it
        any_eu_cell-->>user: 302 /users/sign_in?redirect=/ [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/non-authenticated
  Rule: Fixed cell

    Scenario: the legacy cell redirects a visitor from the dashboard to the login
      When visitor visits "/dashboard"
      Then the exchange was (LN-20)
        """
        user->>router_eu: GET /dashboard
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
        any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "routable"}
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 302 /users/sign_in?redirect=/dashboard
        """

    Scenario: any cell redirects a visitor from the root to the login
      When visitor visits "/"
      Then the exchange was (LN-10)
        """
        user->>router_eu: GET /
        opt the router asks about the root too
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/
          any_eu_cell-->>router_eu: 404
        end
        alt a cell of the region responds
          router_eu->>any_eu_cell: GET /
          any_eu_cell-->>user: 302 /users/sign_in?redirect=/
        else the latest cell responds
          router_eu->>cell_us0: GET /
          cell_us0-->>user: 302 /users/sign_in?redirect=/
        end
        """

  @buffering @learning @doc:buffering/non-authenticated @doc:routes-learning/non-authenticated
  Rule: Login page of a visitor

    Scenario Outline: the <path> route leads a visitor to the login page
      When visitor visits "<path>"
      And visitor follows the redirect
      Then visitor sees the page "Sign in" (GL-07)

      Examples:
        | route     | path       |
        | dashboard | /dashboard |
        | root      | /          |
        | search    | /search    |

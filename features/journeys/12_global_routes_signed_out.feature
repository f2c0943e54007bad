@journey
Feature: Global routes for non-authenticated users
  There is no default organization to choose from: global routes redirect to the login page.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @buffering @doc:buffering/non-authenticated
  Rule: Buffering: any cell redirects to the login page

    @req:BF-09 @req:BF-16
    Scenario: the cell that is asked redirects the visitor from the dashboard
      When visitor visits "/dashboard"
      Then the exchange was (BF-09)
        """
        user->>router_eu: GET /dashboard
        router_eu->>any_eu_cell: GET /dashboard
        %% BF-16 cells never tell the router to remember it
        any_eu_cell-->>user: 302 /users/sign_in?redirect=/dashboard [cell: without X-Gitlab-Cell-Cache]
        """

    @req:BF-09 @req:BF-16
    Scenario: the cell that is asked redirects the visitor from the root
      When visitor visits "/"
      Then the exchange was (BF-09)
        """
        user->>router_eu: GET /
        router_eu->>any_eu_cell: GET /
        %% BF-16 cells never tell the router to remember it
        any_eu_cell-->>user: 302 /users/sign_in?redirect=/ [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/non-authenticated
  Rule: Learning: the cell to which the route is fixed redirects to the login page

    @req:LN-20
    Scenario: the legacy cell redirects the visitor from the dashboard
      When visitor visits "/dashboard"
      Then the exchange was (LN-20)
        """
        user->>router_eu: GET /dashboard
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
        any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "fixed", exact: true}
        router_eu->>cell_us0: GET /dashboard
        cell_us0-->>user: 302 /users/sign_in?redirect=/dashboard
        """

    @req:LN-10
    Scenario: any cell redirects the visitor from the root
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
  Rule: Both: the visitor ends up on the login page

    @req:GL-07
    Scenario Outline: a global route leads to the login page
      When visitor visits "<path>"
      And visitor follows the redirect
      Then visitor sees the page "Sign in" (GL-07)

      Examples:
        | path       |
        | /dashboard |
        | /          |

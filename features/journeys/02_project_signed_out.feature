@journey
Feature: Navigates to /my-company/my-project while not logged in
  Anna is not signed in, and the project is private. She is led through the login and back to the
  project.

  Background:
    Given a cold EU router

  @buffering @doc:buffering/project-signed-out
  Rule: Login on any cell

    @req:BF-09
    @doc:buffering/project-signed-out:drawing @doc:buffering/project-signed-out:item-2 @doc:buffering/project-signed-out:item-3
    @doc:buffering/project-signed-out:item-4 @doc:buffering/project-signed-out:item-5 @doc:buffering/project-signed-out:item-6
    Scenario: a login takes a cell of the region picked anew each time
      When anna visits "/my-company/my-project"
      And anna follows the redirect
      And anna signs in
      And anna follows the redirect, asking cell_eu1 first
      Then anna saw the page "Sign in" (BF-13)
      And anna sees the page "My Project" (BF-03)
      And the exchange was (BF-09)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>any_eu_cell: GET /my-company/my-project
        any_eu_cell-->>user: 302 /users/sign_in?redirect=/my-company/my-project
        %% BF-13 any cell serves the form and takes the credentials
        user->>router_eu: GET /users/sign_in?redirect=/my-company/my-project
        router_eu->>any_eu_cell: GET /users/sign_in?redirect=/my-company/my-project
        any_eu_cell-->>user: 200
        user->>router_eu: POST /users/sign_in?redirect=/my-company/my-project
        router_eu->>any_eu_cell: POST /users/sign_in?redirect=/my-company/my-project
        any_eu_cell-->>user: 302 /my-company/my-project
        %% BF-03 signed in, she is served by the owner
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>router_eu: 302 /my-company/my-project X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    @req:BF-12
    Scenario: a login leads to the owner if the router picks it
      When anna visits "/my-company/my-project"
      And anna follows the redirect
      And anna signs in
      And anna follows the redirect, asking cell_eu0 first
      Then anna sees the page "My Project" (LG-03)
      And the last exchange was (BF-12)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    @req:BF-03
    Scenario: a login leads to the owner by way of another of three cells
      Given cell_eu2 is also in the topology
      When anna visits "/my-company/my-project"
      And anna follows the redirect
      And anna signs in
      And anna follows the redirect, asking cell_eu1 first
      Then anna sees the page "My Project" (LG-03)
      And the last exchange was (BF-03)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    Scenario: an owner that starts the login is found by a redirect
      Given the owner starts the login
      When anna visits "/my-company/my-project", asking cell_eu1 first
      Then the exchange was (BF-03)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-project
        %% BF-09 this redirect is meant for the user
        cell_eu0-->>user: 302 /users/sign_in?redirect=/my-company/my-project
        """

    @req:BF-15
    @doc:buffering/project-signed-out:item-2 @doc:buffering/project-signed-out:item-3
    @doc:buffering/project-signed-out:arrow-2 @doc:buffering/project-signed-out:arrow-3
    Scenario: the drawn cell starts the login
      The router picks Cell EU1 as drawn in one of two visits; 40 without it come once in 10^12
      runs.
      When anna visits "/my-company/my-project" until cell_eu1 was asked, at most 40 times
      Then the target "/my-company/my-project" reached cell_eu1 (Z-76)
      And anna is redirected to "/users/sign_in?redirect=/my-company/my-project" (BF-15)
      And every user got a cell's response unchanged (BF-15)

    @doc:buffering/project-signed-out:item-3
    Scenario: a cell that is not the owner starts the login itself
      When nina visits "/not-my-company/not-my-project"
      Then the exchange was (BF-15)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        router_eu->>any_eu_cell: GET /not-my-company/not-my-project
        %% BF-09 this redirect is meant for the user
        any_eu_cell-->>user: 302 /users/sign_in?redirect=/not-my-company/not-my-project
        """

    Scenario: a login form from Europe accepts its credentials in the US
      Given a cold US router
      When anna visits "/users/sign_in?redirect=/my-company/my-project" through the EU router
      And anna signs in through the US router
      Then the exchange was (BF-13)
        """
        user->>router_eu: GET /users/sign_in?redirect=/my-company/my-project
        router_eu->>any_eu_cell: GET /users/sign_in?redirect=/my-company/my-project
        any_eu_cell-->>user: 200
        %% BF-14 the credentials arrive intact
        user->>router_us: POST /users/sign_in?redirect=/my-company/my-project
        router_us->>any_us_cell: POST /users/sign_in?redirect=/my-company/my-project
        any_us_cell-->>user: 302 /my-company/my-project
        """

    @req:BF-03
    Scenario: a session made in Europe is valid on a cell in the US
      When nina visits "/not-my-company/not-my-project"
      And nina follows the redirect
      And nina signs in
      And nina follows the redirect
      Then nina sees the page "Not My Project" (LG-05)
      And the last exchange was (BF-03)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        router_eu->>any_eu_cell: GET /not-my-company/not-my-project
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/not-my-company/}]
        """

  @learning @doc:routes-learning/project-signed-out
  Rule: Login by way of the owner

    @req:LN-18
    @doc:routes-learning/project-signed-out:drawing @doc:routes-learning/project-signed-out:item-2
    @doc:routes-learning/project-signed-out:item-3 @doc:routes-learning/project-signed-out:item-4
    @doc:routes-learning/project-signed-out:item-7 @doc:routes-learning/project-signed-out:item-8
    Scenario: a login sends every request once
      When anna visits "/my-company/my-project", asking cell_eu1 first
      And anna follows the redirect
      And anna signs in
      And anna follows the redirect
      Then anna saw the page "Sign in" (LN-19)
      And anna sees the page "My Project" (LG-06)
      And the exchange was (LN-18)
        """
        user->>router_eu: GET /my-company/my-project
        %% choice LN-17
        router_eu->>cell_eu1: GET {learn}?method=GET&path_info=/my-company/my-project
        cell_eu1-->>router_eu: 200 {path: "/my-company", cell: "cell_eu0", source: "routable"}
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 302 /users/sign_in?redirect=/my-company/my-project
        %% LN-19 the sign-in page is fixed to one cell, for GET and POST
        user->>router_eu: GET /users/sign_in?redirect=/my-company/my-project
        %% choice LN-17
        router_eu->>cell_eu1: GET {learn}?method=GET&path_info=/users/sign_in
        cell_eu1-->>router_eu: 200 {path: "/users", cell: "cell_eu0", source: "fixed"}
        router_eu->>cell_eu0: GET /users/sign_in?redirect=/my-company/my-project
        cell_eu0-->>user: 200
        user->>router_eu: POST /users/sign_in?redirect=/my-company/my-project
        opt not drawn: the router learns each method separately
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/users/sign_in
          any_eu_cell-->>router_eu: 200 {path: "/users", cell: "cell_eu0", source: "fixed"}
        end
        router_eu->>cell_eu0: POST /users/sign_in?redirect=/my-company/my-project
        cell_eu0-->>user: 302 /my-company/my-project
        %% LG-06 the last request reaches the owner once
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200
        """

    Scenario: a login asks about the project once
      When anna visits "/my-company/my-project"
      And anna follows the redirect
      And anna signs in
      And anna follows the redirect
      Then there was one pre-flight about "/my-company/my-project" (LG-07)
      And every request reached exactly one cell (LN-10)

    @doc:routes-learning/project-signed-out:arrow-7 @doc:routes-learning/project-signed-out:item-5
    Scenario: a pre-flight about the sign-in page leaves out the query
      When anna visits "/users/sign_in?redirect=/my-company/my-project"
      Then the pre-flight asked about "/users/sign_in" with the method GET (LN-03)
      And the target "/users/sign_in?redirect=/my-company/my-project" reached cell_eu0 (LG-04)

    @req:LN-21
    @doc:routes-learning/project-signed-out:arrow-12
    Scenario: a sign-in POST causes no further pre-flight
      When anna visits "/users/sign_in?redirect=/my-company/my-project"
      And anna signs in
      Then anna is redirected to "/my-company/my-project" (LG-02)
      And the last exchange was (LN-21)
        """
        user->>router_eu: POST /users/sign_in?redirect=/my-company/my-project
        router_eu->>cell_eu0: POST /users/sign_in?redirect=/my-company/my-project
        cell_eu0-->>user: 302 /my-company/my-project
        """

    @doc:routes-learning/project-signed-out:item-6
    Scenario: a sign-in page fixed to the legacy cell serves the login
      Given the sign-in page is fixed on cell_us0
      When anna visits "/users/sign_in?redirect=/my-company/my-project"
      And anna signs in
      Then the exchange was (LN-19)
        """
        user->>router_eu: GET /users/sign_in?redirect=/my-company/my-project
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/users/sign_in
        any_eu_cell-->>router_eu: 200 {path: "/users", cell: "cell_us0", source: "fixed"}
        router_eu->>cell_us0: GET /users/sign_in?redirect=/my-company/my-project
        cell_us0-->>user: 200
        user->>router_eu: POST /users/sign_in?redirect=/my-company/my-project
        opt the router learns each method separately
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/users/sign_in
          any_eu_cell-->>router_eu: 200 {path: "/users", cell: "cell_us0", source: "fixed"}
        end
        router_eu->>cell_us0: POST /users/sign_in?redirect=/my-company/my-project
        cell_us0-->>user: 302 /my-company/my-project
        """

    @req:LG-07
    Scenario: a session made in Europe is valid on the owner in the US
      When nina visits "/not-my-company/not-my-project"
      And nina follows the redirect
      And nina signs in
      And nina follows the redirect
      Then nina sees the page "Not My Project" (LG-05)
      And the last exchange was (LG-07)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        cell_us1-->>user: 200
        """

  @buffering @learning @any-cache @doc:buffering/project-signed-out @doc:routes-learning/project-signed-out
  Rule: Login as the user sees it

    Scenario: a private page leads to the sign-in page
      When anna visits "/my-company/my-project"
      Then anna is redirected to "/users/sign_in?redirect=/my-company/my-project" (LG-01)
      And no page outside the Admin Area names a cell (RT-12)

    Scenario: a redirect to the sign-in page shows the form
      When anna visits "/my-company/my-project"
      And anna follows the redirect
      Then anna sees the page "Sign in" (LG-02)
      And no page outside the Admin Area names a cell (RT-12)

    Scenario: a login leads back to the page that was asked for
      When anna visits "/my-company/my-project"
      And anna follows the redirect
      And anna signs in
      Then anna is redirected to "/my-company/my-project" (LG-02)
      And every copy of the request carried the same method, target and body (LG-04)

    @doc:buffering/timing-attack @doc:routes-learning/timing-attack
    Scenario Outline: a visitor cannot tell a private page from a missing one
      When visitor visits "/my-company/my-other-project"
      And visitor visits "<missing>"
      Then the last two responses were indistinguishable (PR-03)

      Examples:
        | case       | missing                          |
        | same group | /my-company/no-such-project      |
        | no group   | /no-such-company/no-such-project |

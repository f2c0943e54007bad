@journey
Feature: Unknown routes are sent to the latest deployment
  Cell US0 runs the latest version, and only the latest version can decode endpoints that were
  just added. An endpoint that no version knows ends in a 404 of a cell.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @doc:buffering/cons:item-9
  Rule: Internal redirect

    @req:UN-01
    Scenario: an older cell redirects a new endpoint to the latest deployment
      Given cell_eu0 runs an older version
      And cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows
      When anna visits "/-/just-added"
      Then anna gets status 200 (UN-02)
      And the exchange was (UN-01)
        """
        user->>router_eu: GET /-/just-added
        router_eu->>any_eu_cell: GET /-/just-added
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /-/just-added
        cell_us0-->>user: 200
        """

    @req:UN-01
    Scenario: the latest deployment redirects a new endpoint to its owner
      Given cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows and that belongs to cell_eu0
      When anna visits "/-/just-added", asking cell_eu1 first
      Then anna gets status 200 (UN-03)
      And the exchange was (UN-01)
        """
        user->>router_eu: GET /-/just-added
        router_eu->>cell_eu1: GET /-/just-added
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /-/just-added
        %% UN-03 a second redirect is followed as well
        cell_us0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /-/just-added
        cell_eu0-->>user: 200
        """

    Scenario: a body survives two internal redirects
      Given cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows and that belongs to cell_eu0
      When anna sends POST "/-/just-added?step=2" with the JSON '{"just":"added"}', asking cell_eu1 first
      Then cell_eu0 responded last (UN-03)
      And every copy of the request carried the same method, target and body (BF-04)

    Scenario: a new endpoint is served at once if the router picks its owner
      Given cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows and that belongs to cell_eu0
      When anna visits "/-/just-added", asking cell_eu0 first
      Then the exchange was (BF-12)
        """
        user->>router_eu: GET /-/just-added
        router_eu->>cell_eu0: GET /-/just-added
        cell_eu0-->>user: 200
        """

    @req:BF-03
    Scenario: an older cell redirects an old path to its owner
      Given cell_eu1 runs an older version
      When anna visits "/my-company/my-project", asking cell_eu1 first
      Then anna sees the page "My Project" (UN-02)
      And the exchange was (BF-03)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    Scenario: an unknown path gets the 404 of the picked cell
      When anna visits "/no-such-company/no-such-project"
      Then the exchange was (UN-08)
        """
        user->>router_eu: GET /no-such-company/no-such-project
        router_eu->>any_eu_cell: GET /no-such-company/no-such-project
        any_eu_cell-->>user: 404 [cell: without X-Gitlab-Cell-Cache]
        """

    Scenario: an older cell redirects to the cell that is set as the latest
      Given the installation of the cells "cell_us1, cell_us0, cell_eu0, cell_eu1"
      And cell_eu0 runs an older version
      And cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows
      When anna visits "/-/just-added"
      Then the exchange was (UN-06)
        """
        user->>router_eu: GET /-/just-added
        router_eu->>any_eu_cell: GET /-/just-added
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /-/just-added
        cell_us1-->>user: 200
        """

  @learning @doc:routes-learning/cons:item-9
  Rule: Owner pre-flight

    Scenario: an older cell names the cell that is set as the latest
      Given the installation of the cells "cell_us1, cell_us0, cell_eu0, cell_eu1"
      And cell_eu0 runs an older version
      And cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows
      When anna visits "/-/just-added"
      Then the exchange was (UN-06)
        """
        user->>router_eu: GET /-/just-added
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/-/just-added
        any_eu_cell-->>router_eu: 200 {path: "/-/just-added", cell: "cell_us1", source: "fixed", exact: true}
        router_eu->>cell_us1: GET /-/just-added
        cell_us1-->>user: 200
        """

    Scenario: a router takes no other cell for the latest than the one that is set
      Given the installation of the cells "cell_us1, cell_us0, cell_eu0, cell_eu1"
      When anna visits "/no-such-company/no-such-project"
      Then the exchange was (UN-06)
        """
        user->>router_eu: GET /no-such-company/no-such-project
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/no-such-company/no-such-project
        any_eu_cell-->>router_eu: 404
        alt a cell of the region responds
          router_eu->>any_eu_cell: GET /no-such-company/no-such-project
          any_eu_cell-->>user: 404
        else the latest cell responds
          router_eu->>cell_us1: GET /no-such-company/no-such-project
          cell_us1-->>user: 404
        end
        """

    @req:UN-05
    Scenario: an older cell names the latest deployment for a new endpoint
      Given cell_eu0 runs an older version
      And cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows
      When anna visits "/-/just-added"
      Then anna gets status 200 (UN-01)
      And the exchange was (UN-05)
        """
        user->>router_eu: GET /-/just-added
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/-/just-added
        any_eu_cell-->>router_eu: 200 {path: "/-/just-added", cell: "cell_us0", source: "fixed", exact: true}
        %% LN-10 the request itself is sent exactly once
        router_eu->>cell_us0: GET /-/just-added
        cell_us0-->>user: 200
        """

    Scenario: a body reaches the latest deployment once
      Given cell_eu0 runs an older version
      And cell_eu1 runs an older version
      And the endpoint "/-/just-added" that only the latest version knows
      When anna sends POST "/-/just-added?step=2" with the JSON '{"just":"added"}'
      Then cell_us0 responded last (UN-05)
      And the last request reached exactly one cell (LN-10)
      And every pre-flight came without a body (LN-11)

    @req:LN-01
    Scenario: an older cell names the owner of an old path
      Given cell_eu0 runs an older version
      And cell_eu1 runs an older version
      When anna visits "/gitlab-org/gitlab"
      Then anna sees the page "GitLab.org / GitLab" (UN-02)
      And the exchange was (LN-01)
        """
        user->>router_eu: GET /gitlab-org/gitlab
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/gitlab-org/gitlab
        any_eu_cell-->>router_eu: 200 {path: "/gitlab-org", cell: "cell_us0", source: "routable"}
        router_eu->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        """

    Scenario: an unknown path gets the 404 of one cell
      When anna visits "/no-such-company/no-such-project"
      Then the exchange was (UN-08)
        """
        user->>router_eu: GET /no-such-company/no-such-project
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/no-such-company/no-such-project
        any_eu_cell-->>router_eu: 404
        %% Z-34 the request is sent once, at home or to the latest cell
        alt a cell of the region responds
          router_eu->>any_eu_cell: GET /no-such-company/no-such-project
          %% UN-08 the 404 is that of the cell
          any_eu_cell-->>user: 404
        else the latest cell responds
          %% Z-34 sent once as well
          router_eu->>cell_us0: GET /no-such-company/no-such-project
          %% UN-08 the 404 is that of the cell
          cell_us0-->>user: 404
        end
        """

  @buffering @learning @doc:buffering/cons:item-9 @doc:routes-learning/cons:item-9
  Rule: 404 of a cell

    @any-cache
    Scenario: a 404 for an unknown path names no cell
      When anna visits "/no-such-company/no-such-project"
      Then anna gets status 404 (UN-08)
      And every user got a cell's response unchanged (UN-08)
      And no page outside the Admin Area names a cell (RT-12)

@protocol
Feature: Cells and regions with similar names
  An installation grows beyond ten cells. Cell US1, Cell US10 and Cell US11 are three different
  cells, whatever their order in the topology.

  Rule: Cell names

    @buffering
    @doc:buffering/project-signed-in:arrow-3
    Scenario Outline: a redirect to <name> reaches no cell with a similar name
      Given the installation of the cells "cell_us0, cell_us10, cell_us1, cell_us11, cell_eu0, cell_eu1"
      And the namespace "/acme" on <owner>
      And a cold EU router
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then the exchange was (BF-10)
        """
        user->>router_eu: GET /acme/things
        router_eu->>any_eu_cell: GET /acme/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:<name>}
        router_eu->><owner>: GET /acme/things
        <owner>-->>user: 200
        user->>router_eu: GET /acme/more
        router_eu->><owner>: GET /acme/more
        <owner>-->>user: 200
        """

      Examples:
        | name      | owner     |
        | Cell US1  | cell_us1  |
        | Cell US11 | cell_us11 |

    @learning
    @doc:routes-learning/project-signed-in:item-3
    Scenario Outline: a learn response naming <owner> reaches no cell with a similar id
      Given the installation of the cells "cell_us0, cell_us10, cell_us1, cell_us11, cell_eu0, cell_eu1"
      And the namespace "/acme" on <owner>
      And a cold EU router
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then the exchange was (LN-18)
        """
        user->>router_eu: GET /acme/things
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/acme/things
        any_eu_cell-->>router_eu: 200 {path: "/acme", cell: "<owner>", source: "routable"}
        router_eu->><owner>: GET /acme/things
        <owner>-->>user: 200
        user->>router_eu: GET /acme/more
        router_eu->><owner>: GET /acme/more
        <owner>-->>user: 200
        """

      Examples:
        | owner     |
        | cell_us1  |
        | cell_us11 |

  Rule: Region names

    @buffering
    @doc:buffering/changes:item-8
    Scenario: a cell of a region with a similar name is never picked
      A router that counts the cell among three picks misses it in all draws once in 10^17 runs.
      Given the installation of the cells "cell_us0, cell_us1, cell_euw0, cell_eu0, cell_eu1"
      And a cold EU router
      When visitor visits "/" 100 times
      Then no request went to cell_euw0 (RG-01)

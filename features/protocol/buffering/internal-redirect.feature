@protocol @buffering
Feature: Internal redirects to the owner
  A cell that does not own the target responds with 302 and a header that names the owner. That
  response is for the router, which sends the same request to the owner. The user gets the owner's
  response.

  Rule: The named cell

    @doc:buffering/project-signed-in:arrow-3
    Scenario Outline: a redirect header leads to the cell that it names
      Given the namespace "/acme" on <owner>
      And a cold <region> router
      When visitor visits "/acme/things"
      Then the exchange was (BF-10)
        """
        user->>router_<home>: GET /acme/things
        router_<home>->>any_<home>_cell: GET /acme/things
        any_<home>_cell-->>router_<home>: 302 X-Gitlab-Cell-Redirect={cell:<name>}
        router_<home>->><owner>: GET /acme/things
        <owner>-->>user: 200
        """

      Examples:
        | owner    | name     | region | home |
        | cell_us1 | Cell US1 | EU     | eu   |
        | cell_eu0 | Cell EU0 | US     | us   |

    @doc:buffering/changes:item-7
    Scenario Outline: a redirect header leads to the named one of three cells
      Given cell_eu2 is also in the topology
      And the namespace "/acme" on <owner>
      And a cold EU router
      When visitor visits "/acme/things", asking <asked> first
      Then the exchange was (BF-03)
        """
        user->>router_eu: GET /acme/things
        router_eu->><asked>: GET /acme/things
        <asked>-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:<name>}
        router_eu->><owner>: GET /acme/things
        <owner>-->>user: 200
        """

      Examples:
        | case          | asked    | owner    | name     |
        | EU0 names EU2 | cell_eu0 | cell_eu2 | Cell EU2 |
        | EU2 names EU1 | cell_eu2 | cell_eu1 | Cell EU1 |

    @doc:buffering/changes:item-7 @late
    Scenario: a redirect of a POST leads to the owner
      Given the namespace "/acme" on cell_us1
      And a cold EU router
      When visitor sends POST "/acme/things"
      Then the exchange was (BF-03)
        """
        user->>router_eu: POST /acme/things
        router_eu->>any_eu_cell: POST /acme/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: POST /acme/things
        cell_us1-->>user: 200
        """

    @doc:buffering/project-signed-in:arrow-3
    Scenario: blanks around the cell name are ignored
      Given the namespace "/acme" on cell_us1
      And a cold EU router
      And every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: { cell : Cell US1 }"
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (BF-10)

  @doc:buffering/differences
  Rule: No pre-flight

    Scenario: a request under buffering causes no pre-flight
      Given the namespace "/acme" on cell_us1
      And a cold EU router
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      And visitor visits "/"
      And visitor sends POST "/acme/things" with 1024 random bytes
      Then there was no pre-flight (BF-01)

    Scenario: a request under buffering goes to a cell at once
      Given the namespace "/acme" on cell_us1
      And a cold EU router
      When visitor sends PUT "/acme/things"
      Then the exchange was (BF-01)
        """
        user->>router_eu: PUT /acme/things
        router_eu->>any_eu_cell: PUT /acme/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: PUT /acme/things
        cell_us1-->>user: 200
        """

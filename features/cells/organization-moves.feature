@cells @buffering @doc:buffering/migration @doc:buffering/organization-moved
Feature: Organizations move with all their data
  The documents leave the flow open and name the stores that it takes along. Here it has phases:
  announce, copy, freeze, copy the rest, switch, thaw, clean up. They are this fleet's choice.

  Background:
    Given anna is signed in
    And a cold EU router

  Rule: Writes in each phase

    Scenario Outline: a write after <phase> is not lost
      When the move of "my-organization" to cell_us1 runs through "<phase>"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And anna visits "/api/v4/projects/5001/merge_requests"
      Then anna sees the text "Fix the login" (MV-01)
      And cell_us1 responded last (MV-01)
      And no two cells took writes of one organization (MV-06)

      Examples:
        | phase    |
        | announce |
        | copy     |
        | thaw     |

    Scenario Outline: a write after <phase> is refused and works later
      When the move of "my-organization" to cell_us1 runs through "<phase>"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And the move of "my-organization" to cell_us1 runs through "thaw"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      Then the exchange was (MV-03)
        """
        user->>router_eu: POST /api/v4/projects/5001/merge_requests
        opt
          router_eu->>any_eu_cell: POST /api/v4/projects/5001/merge_requests
          any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:<name>}
        end
        router_eu->><cell>: POST /api/v4/projects/5001/merge_requests
        <cell>-->>user: 503 Retry-After=1
        user->>router_eu: POST /api/v4/projects/5001/merge_requests
        opt
          router_eu->>any_eu_cell: POST /api/v4/projects/5001/merge_requests
          any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        end
        router_eu->>cell_us1: POST /api/v4/projects/5001/merge_requests
        cell_us1-->>user: 201
        """
      And no two cells took writes of one organization (MV-06)

      Examples:
        | phase         | cell     | name     |
        | freeze        | cell_eu0 | Cell EU0 |
        | copy the rest | cell_eu0 | Cell EU0 |
        | switch        | cell_us1 | Cell US1 |

    @req:MV-06
    Scenario: a cell that does not know of the move yet takes no write
      Given the replicas of the EU region lag until they are released
      When the move of "my-organization" to cell_us1 runs through "thaw"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Too late"}' on cell_eu0 directly
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_us1 directly
      And the replicas are released
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And anna visits "/api/v4/projects/5001/merge_requests"
      Then anna sees the text "Fix the login" (MV-01)
      And no two cells took writes of one organization (MV-06)

  Rule: Reads in each phase

    Scenario Outline: reads work after <phase>
      Given anna visited "/my-company/my-project"
      When the move of "my-organization" to cell_us1 runs through "<phase>"
      And anna visits "/my-company/my-project"
      And anna visits "/organizations/my-organization/-/dashboard"
      And anna visits "/api/v4/projects/5001"
      Then every response has the status 200 (MV-02)

      Examples:
        | phase         |
        | announce      |
        | copy          |
        | freeze        |
        | copy the rest |
        | switch        |
        | thaw          |
        | clean up      |

    Scenario: reads work on a cell that does not know of the move yet
      Given the replicas of the EU region lag until they are released
      When the move of "my-organization" to cell_us1 is tried through "clean up"
      And anna visits "/my-company/my-project" on cell_eu0 directly
      Then every response has the status 200 (MV-02)

  Rule: All stores move

    @doc:buffering/migration:item-1 @doc:buffering/migration:item-2 @doc:buffering/migration:item-3
    @doc:buffering/migration:item-4
    Scenario Outline: a move takes along <store>
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And anna sends POST "/api/v4/projects/5001/repository/branches" with the JSON '{"branch": "mend-the-login"}'
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And anna visits "/api/v4/projects/5001<page>"
      Then anna sees the text '<text>' (MV-04)
      And cell_us1 responded last (MV-04)

      Examples:
        | store          | page                 | text                         |
        | rows           | /merge_requests      | "title":"Fix the login"      |
        | Redis state    | /statistics          | "merge_requests_opened":1    |
        | repositories   | /repository/branches | "name":"mend-the-login"      |
        | search indexes | /search?search=login | "title":"Fix the login"      |

  Rule: A mover that dies

    Scenario Outline: a mover that died in <phase> is run again
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And the mover of "my-organization" to cell_us1 dies in "<phase>"
      And anna visits "/my-company/my-project"
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Mend the search"}'
      And anna visits "/api/v4/projects/5001/merge_requests"
      Then anna sees the text "Fix the login" (MV-05)
      And anna sees the text "Mend the search" (MV-05)
      And cell_us1 responded last (MV-05)
      And no two cells took writes of one organization (MV-06)

      Examples:
        | phase         |
        | announce      |
        | copy          |
        | freeze        |
        | copy the rest |
        | switch        |
        | thaw          |
        | clean up      |

    Scenario Outline: a move whose mover died in <phase> is taken back
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And the mover of "my-organization" to cell_us1 dies in "<phase>"
      And the move of "my-organization" is taken back
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Mend the search"}'
      And anna visits "/api/v4/projects/5001/merge_requests"
      Then anna sees the text "Fix the login" (MV-05)
      And anna sees the text "Mend the search" (MV-05)
      And cell_eu0 responded last (MV-05)
      And no two cells took writes of one organization (MV-06)

      Examples:
        | phase         |
        | announce      |
        | copy          |
        | freeze        |
        | copy the rest |
        | switch        |
        | thaw          |
        | clean up      |

  Rule: Routers converge

    Background:
      Given anna visited "/my-company/my-project"

    @req:TD-02
    Scenario: a buffering router finds the new owner by the old one's bounce
      When the move of "my-organization" to cell_us1 runs through "clean up"
      And anna visits "/my-company/my-project"
      And anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (TD-01)
      And the visit went straight to cell_us1 (TD-02)

    Scenario Outline: <method> finds the new owner though the old cell is gone after the move
      When the move of "my-organization" to cell_us1 runs through "clean up"
      And cell_eu0 goes down
      And anna sends <method> "/my-company/my-project/" with <bytes> random bytes
      Then anna gets the response of cell_us1 (Z-81)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | PUT    | 4096  |

    Scenario Outline: a large upload follows a visit to the new owner, <case>
      Above the limit a router may stream the upload to the cell of an entry, or refuse it.
      Given the body buffer limit is 65536 bytes
      When the move of "my-organization" to cell_us1 runs through "clean up"
      And anna visits "/my-company/my-project"
      And anna sends PUT "/my-company/my-project/" with <body>
      Then the last exchange was (TD-02)
        """
        user->>router_eu: PUT /my-company/my-project/
        alt it goes to the cell of the entry
          router_eu->>cell_us1: PUT /my-company/my-project/
          cell_us1-->>user: 200
        else it is refused at once
          opt
            router_eu-->>user: 413
          end
        end
        """

      Examples:
        | case    | body                         |
        | counted | 65537 random bytes           |
        | chunked | 65537 random bytes in chunks |

    Scenario Outline: a large upload follows a visit though the old cell is gone, <case>
      Given the body buffer limit is 65536 bytes
      When the move of "my-organization" to cell_us1 runs through "clean up"
      And cell_eu0 goes down
      And anna visits "/my-company/my-project"
      And anna sends PUT "/my-company/my-project/" with <body>
      Then the last exchange was (Z-81)
        """
        user->>router_eu: PUT /my-company/my-project/
        alt it goes to the cell of the entry
          router_eu->>cell_us1: PUT /my-company/my-project/
          cell_us1-->>user: 200
        else it is refused at once
          opt
            router_eu-->>user: 413
          end
        end
        """

      Examples:
        | case    | body                         |
        | counted | 65537 random bytes           |
        | chunked | 65537 random bytes in chunks |

    Scenario Outline: an upload that a moved organization bounces ends or mends the entry
      A router that streams the upload to the cell of the entry learns from the bounce. One that
      refuses it at once has learned nothing.
      Given the body buffer limit is 65536 bytes
      When the move of "my-organization" to cell_us1 runs through "clean up"
      And anna sends PUT "/my-company/my-project/" with <body>
      And anna visits "/my-company/my-project"
      Then the exchange was (Z-82)
        """
        user->>router_eu: PUT /my-company/my-project/
        alt the upload is refused at once
          opt
            router_eu-->>user: 413
          end
          user->>router_eu: GET /my-company/my-project
          alt the entry has stayed
            router_eu->>cell_eu0: GET /my-company/my-project
            cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
          else it went with the upload
            router_eu->>any_eu_cell: GET /my-company/my-project
            any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
          end
        else it goes to the cell of the entry
          router_eu->>cell_eu0: PUT /my-company/my-project/
          cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
          alt it can be sent on
            router_eu->>cell_us1: PUT /my-company/my-project/
            cell_us1-->>user: 200
          else it is gone
            router_eu-->>user: 413
          end
          user->>router_eu: GET /my-company/my-project
          opt the entry is gone as well
            router_eu->>any_eu_cell: GET /my-company/my-project
            any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
          end
        end
        router_eu->>cell_us1: GET /my-company/my-project
        cell_us1-->>user: 200
        """

      Examples:
        | case    | body                         |
        | counted | 65537 random bytes           |
        | chunked | 65537 random bytes in chunks |

    Scenario: an upload above the buffer limit in the frozen moment is told when to try again
      Given the body buffer limit is 65536 bytes
      When the move of "my-organization" to cell_us1 runs through "freeze"
      And anna sends PUT "/my-company/my-project/" with 65537 random bytes
      Then the exchange was (MV-03)
        """
        user->>router_eu: PUT /my-company/my-project/
        alt it goes to the cell of the entry
          router_eu->>cell_eu0: PUT /my-company/my-project/
          cell_eu0-->>user: 503 Retry-After=1
        else it is refused at once
          opt
            router_eu-->>user: 413
          end
        end
        """

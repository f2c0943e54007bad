@hardening @learning
Feature: Parsing of learn responses
  The router ignores unknown members. It refuses the request if a required member is missing or
  has another type, or if the status is neither 200 nor 404.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Unknown members

    @req:Z-40
    Scenario Outline: a learn response with an unknown member is used
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '<response>'
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then every user got a cell's response unchanged (Z-30)
      And there was one pre-flight (Z-40)

      Examples:
        | member | response                                                                                    |
        | number | {"path": "/acme", "cell": "cell_us1", "source": "routable", "ttl": 5}                       |
        | object | {"path": "/acme", "cell": "cell_us1", "source": "routable", "region": {"cell": "cell_us0"}} |

    Scenario: a learn response of 4 KiB is used
      Given every cell responds to a pre-flight about "/acme/things" with a body of 4096 bytes
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-40)

  Rule: Invalid responses

    Scenario Outline: an invalid learn response causes a refusal
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '<response>'
      When visitor visits "/acme/things"
      Then the router refused the request (Z-30)
      And the refusal names no cell (Z-58)

      Examples:
        | fault        | response                                           |
        | no cell      | {"path": "/acme", "source": "routable"}            |
        | numeric cell | {"path": "/acme", "cell": 1, "source": "routable"} |
        | no path      | {"cell": "cell_us1", "source": "routable"}         |
        | list         | []                                                 |
        | not JSON     | Cell US1                                           |

    Scenario: an invalid learn response adds no entry
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/acme", "cell": {"name": "cell_us1"}, "source": "routable"}'
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then the visit went to cell_us1 as on a cold cache (Z-30)

    Scenario Outline: a learn response with another status causes a refusal
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        <status>
        Content-Type: application/json

        {"path": "/acme", "cell": "cell_us1", "source": "routable"}
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)

      Examples:
        | status |
        | 206    |
        | 403    |
        | 503    |

  Rule: Uncovered paths

    Scenario Outline: a learn response about another group adds no entry
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "<answered>", "cell": "cell_us1", "source": "routable"}'
      And visitor visited "/acme/things"
      When visitor visits "/gitlab-org/gitlab"
      Then the visit went to cell_us0 as on a cold cache (Z-07)

      Examples:
        | level                     | answered     |
        | group                     | /gitlab-org  |
        | group with trailing slash | /gitlab-org/ |

    Scenario: an exact learn response about another path adds no entry
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/gitlab-org/gitlab", "cell": "cell_us1", "source": "fixed", "exact": true}'
      And visitor visited "/acme/things"
      When visitor visits "/gitlab-org/gitlab"
      Then visitor gets the response of cell_us0 (Z-07)

    Scenario Outline: a learn response about <level> adds no entry
      Given every cell responds to a pre-flight about "<asked>" with the JSON '{"path": "<path>", "cell": "cell_us1", "source": "fixed"}'
      And visitor visited "<asked>"
      When visitor visits "/gitlab-org/gitlab"
      Then visitor gets the response of cell_us0 (<row>)
      And no request went to cell_us1 (<row>)

      Examples:
        | level                   | asked        | path | row  |
        | the root                | /acme/things | /    | Z-65 |
        | the root that was asked | /            | /    | Z-65 |
        | the empty path          | /acme/things |      | Z-08 |

  Rule: 404 responses

    Scenario: a path with a 404 learn response is asked about each time
      When visitor visits "/nobody/knows/this"
      And visitor visits "/nobody/knows/this"
      Then there were 2 pre-flights (Z-34)
      And every request reached exactly one cell (Z-34)
      And every user got a cell's response unchanged (UN-08)

    Scenario: the body of a 404 learn response is ignored
      Given every cell responds to a pre-flight about "/nobody/knows/this" with:
        """
        404
        Content-Type: application/json

        {"path": "/nobody", "cell": "cell_us1", "source": "routable"}
        """
      When visitor visits "/nobody/knows/this"
      And visitor visits "/nobody/knows/that"
      Then no request went to cell_us1 (Z-34)
      And every request reached exactly one cell (Z-34)
      And there were 2 pre-flights (Z-34)

    Scenario: a POST after a 404 learn response reaches one cell
      When visitor sends POST "/nobody/knows/this" with 65536 random bytes
      Then every request reached exactly one cell (Z-34)
      And the cell received the complete body (Z-34)

@hardening @learning
Feature: Members of a learn response are matched exactly
  The router compares member names byte by byte, at the top level of the object only. The source
  decides nothing.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a learn response with a cell member <member> is not misread
    Given every cell responds to a pre-flight about "/acme/things" with the JSON '<response>'
    When visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-40)
    And every request reached exactly one cell (Z-40)

    Examples:
      | member             | response                                                                                  |
      | in another case    | {"path": "/acme", "cell": "cell_us1", "Cell": "cell_us0", "source": "routable"}           |
      | in a nested object | {"from": {"cell": "cell_us0"}, "path": "/acme", "cell": "cell_us1", "source": "routable"} |

  Scenario: a learn response with an unknown source is cached like a routable one
    Cells may come to name further sources.
    Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/acme", "cell": "cell_us1", "source": "sharded"}'
    When visitor visits "/acme/things"
    And visitor visits "/acme/more"
    Then there was one pre-flight (Z-64)
    And every request reached exactly one cell (Z-64)
    And visitor gets the response of cell_us1 (Z-64)

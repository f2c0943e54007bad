@hardening @buffering @learning @capability:not-found-delay
Feature: Delayed 404 responses
  A router may delay every 404 of a cell by a random time, drawn uniformly between zero and the
  bound in the topology. The response still arrives and is the cell's. Nothing else is delayed.

  Background:
    Given the namespace "/acme" on cell_us1
    And cell_us1 responds to "/acme/missing" with the status 404
    And 404 responses are delayed by at most 200 ms
    And anna is signed in
    And a cold EU router

  Scenario Outline: a 404 is delayed by a random time up to the bound
    Each of 60 delays exceeds a quarter of the bound with a probability of 3/4. Fewer than 10 exceed
    it once in 4 * 10^21 runs, and none if the router does not delay. None exceeds 2,500 ms once in
    1.7 * 10^12 runs, and always if the bound is halved and the machine is not late by half a
    second. If the bound is doubled, one exceeds 7,000 ms in all runs but one of 3,000.
    Given 404 responses are delayed by at most 4000 ms
    When anna visits "<path>" 60 times at once
    Then at least 10 of anna's 404 responses were delayed by 1000 ms or more (Z-80)
    And at least 1 of anna's 404 responses were delayed by 2500 ms or more (Z-80)
    And none of anna's 404 responses was delayed by 7000 ms or more (Z-80)
    And every user got a cell's response unchanged (Z-80)

    Examples:
      | case         | path                           |
      | private page | /not-my-company/not-my-project |
      | missing page | /acme/missing                  |

  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario Outline: a delayed 404 arrives complete
    When anna visits "<path>"
    And anna visits "<path>"
    Then every user got a cell's response unchanged (PR-05)
    And anna gets status 404 (PR-05)
    And the response to anna took at most 4000 ms (Z-80)

    Examples:
      | case         | path                           |
      | private page | /not-my-company/not-my-project |
      | missing page | /acme/missing                  |

  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: a delayed 404 to HEAD does not affect the next response
    When anna sends HEAD "/acme/missing"
    And anna visits "/acme/things"
    Then every user got a cell's response unchanged (Z-21)
    And anna gets status 200 (RT-08)

  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: a delayed 404 keeps the order of pipelined responses
    When visitor sends raw bytes:
      """
      GET /acme/missing HTTP/1.1
      {host and id}

      GET /acme/things HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario Outline: a response other than 404 is not delayed
    A mean delay of half a minute would exceed the limit.
    Given 404 responses are delayed by at most 60000 ms
    And cell_us1 responds to "/acme/things" with the status <status>
    When visitor visits "/acme/things"
    And visitor visits "/acme/things"
    And visitor visits "/acme/things"
    Then every user got a cell's response unchanged (Z-80)
    And the response to visitor took at most 4000 ms (Z-80)

    Examples:
      | status |
      | 200    |
      | 302    |

  @req:Z-80
  Scenario: a refusal of the router is not delayed
    The refusal comes from the router, not from a cell.
    Given 404 responses are delayed by at most 60000 ms
    And cell_us1 refuses connections
    When visitor visits "/acme/things"
    Then the router refused the request (Z-35)
    And the response to visitor took at most 8000 ms (Z-80)

@hardening @buffering @learning @capability:not-found-delay
Feature: A delay on 404s
  A router may keep back every 404 that a cell gave, for a time that is drawn uniformly up to what the topology says. The
  response still comes, and is the cell's; nothing else waits.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And cell_us1 responds to "/acme/missing" with:
      """
      404

      """
    And responds with 404 are delayed by at most 200 ms
    And anna is signed in
    And a cold EU router

  # Each of 40 delays exceeds a quarter of the bound with a probability of 3/4. Fewer than 10 do so once in 2 * 10^11 runs,
  # and where nothing is delayed, none.
  @req:Z-80
  Scenario Outline: a 404 is held back for a time up to the bound
    Given responds with 404 are delayed by at most 2000 ms
    When anna visits "<place>" 40 times at once
    Then 10 of anna's responses with 404 were held back for 500 ms or more (Z-80)
    And every response reached its user as a cell gave it (Z-80)

    Examples:
      | case    | place                          |
      | private | /not-my-company/not-my-project |
      | missing | /acme/missing                  |

  @req:PR-05 @req:Z-80
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario Outline: the response still comes, whole
    When anna visits "<place>"
    And anna visits "<place>"
    Then every response reached its user as a cell gave it (PR-05)
    And anna gets status 404 (PR-05)
    And anna had the response within 4000 ms (Z-80)

    Examples:
      | case    | place                          |
      | private | /not-my-company/not-my-project |
      | missing | /acme/missing                  |

  @req:Z-21 @req:RT-08
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: without a body
    When anna sends HEAD "/acme/missing"
    And anna visits "/acme/things"
    Then every response reached its user as a cell gave it (Z-21)
    And anna gets status 200 (RT-08)

  @req:Z-43
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: the next request on the same connection
    When visitor sends the bytes:
      """
      GET /acme/missing HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}

      GET /acme/things HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

  # A mean delay of half a minute would be seen.
  @req:Z-80
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario Outline: no other response waits
    Given responds with 404 are delayed by at most 60000 ms
    And cell_us1 responds to "/acme/things" with:
      """
      <status>

      """
    When visitor visits "/acme/things"
    And visitor visits "/acme/things"
    And visitor visits "/acme/things"
    Then every response reached its user as a cell gave it (Z-80)
    And visitor had the response within 4000 ms (Z-80)

    Examples:
      | status |
      | 200    |
      | 302    |

  # It comes from the router.
  @req:Z-80 @req:Z-35
  Scenario: a refusal does not wait
    Given responds with 404 are delayed by at most 60000 ms
    And cell_us1 refuses connections
    When visitor visits "/acme/things"
    Then the router refused the request (Z-35)
    And visitor had the response within 8000 ms (Z-80)

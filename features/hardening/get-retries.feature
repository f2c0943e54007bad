@hardening @buffering @learning @doc:routes-learning/differences
Feature: A GET with a broken connection is not retried
  HTTP lets a proxy repeat an idempotent request whose connection broke before a byte of the
  response came (RFC 9110 9.2.2). Learning says "sent exactly once to be processed", so a router
  SHOULD not (LN-25); buffering lets a request "be processed more than once", so a router MAY
  (Z-52). Once a byte of a response came, it must not (LN-10, Z-17).

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a GET without a response is not retried
    Only the first response fails. A retry would succeed, and the journal would show it.
    Given the response timeout is 500 ms
    And cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then the router retried no request (buffering Z-52, learning LN-25)
    And visitor gets a cell's response, or a refusal (Z-35)

    Examples:
      | case      | breaks                                         |
      | closed    | closes the connection instead of responding to |
      | timed out | never responds to                              |

  Scenario Outline: a request without a response on a reused connection is not retried
    Libraries repeat a request on a connection that was used before, since the cell may have closed
    it before it read the request.
    Given visitor visited "/acme/before"
    And cell_us1 <breaks> the connection instead of responding to "/acme/things", once
    When visitor sends <method> "/acme/things"
    Then the router retried no request (buffering Z-52, learning LN-25)
    And visitor gets a cell's response, or a refusal (Z-35)

    Examples:
      | case            | method | breaks |
      | GET, closed     | GET    | closes |
      | GET, reset      | GET    | resets |
      | DELETE, closed  | DELETE | closes |

  Scenario: a GET with a response that ends in its head is not retried
    Given cell_us1 resets the connection within the head of its response to "/acme/things", once
    When visitor visits "/acme/things"
    Then the router retried no request (buffering Z-17, learning LN-10)
    And visitor gets a cell's response, or a refusal (Z-35)

  Scenario Outline: a GET with a truncated response is not retried
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then the router retried no request (buffering Z-17, learning LN-10)
    And no user sees a truncated response as complete (Z-41)

    Examples:
      | case    | breaks                                                           |
      | reset   | resets the connection within the body of its response to         |
      | closed  | closes the connection within the body of its response to         |
      | chunked | closes the connection within the chunked body of its response to |

  Scenario: a GET to an owner that restarts is not retried
    The cell accepts connections again before it resets the old ones, so that a retry reaches it.
    Given visitor visited "/acme/before"
    And cell_us1 holds its response to "/acme/slow"
    When visitor starts to visit "/acme/slow"
    And cell_us1 restarts
    And the held responses are released
    Then the router retried no request (buffering Z-52, learning LN-25)
    And visitor gets a cell's response, or a refusal (Z-35)

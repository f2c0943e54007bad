@hardening @buffering @learning
Feature: Requests are not retried
  Apart from internal redirects, a router sends a request again only if no cell has read a byte of
  it: what a cell has read it may have processed. This feature has methods that are not idempotent
  (RFC 9110 9.2.2). Of a repeat, learning says "sent exactly once to be processed" (LN-10), and HTTP
  that a proxy must not (Z-17). The feature `get-retries` has methods that are idempotent.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Processed requests

    @doc:routes-learning/differences
    Scenario Outline: a POST without a response is not retried
      Only the first response fails. A retry would succeed, and the journal would show it.
      Given the response timeout is 500 ms
      And cell_us1 <breaks> "/acme/things", once
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router retried no request (buffering Z-17, learning LN-10)
      And visitor gets a cell's response, or a refusal (Z-35)

      Examples:
        | case                     | breaks                                                   |
        | closed                   | closes the connection instead of responding to           |
        | reset within the headers | resets the connection within the head of its response to |
        | timed out                | never responds to                                        |

    Scenario: none of six POSTs without a response is retried
      Each cell fails once, so that another one would fail as well, and shows the request in its
      journal.
      Given every cell closes the connection instead of responding to "/acme/one", once
      And every cell closes the connection instead of responding to "/acme/two", once
      And every cell closes the connection instead of responding to "/acme/three", once
      And every cell closes the connection instead of responding to "/acme/four", once
      And every cell closes the connection instead of responding to "/acme/five", once
      And every cell closes the connection instead of responding to "/acme/six", once
      When visitor sends POST "/acme/one" with 300 random bytes
      And visitor sends POST "/acme/two" with 300 random bytes
      And visitor sends POST "/acme/three" with 300 random bytes
      And visitor sends POST "/acme/four" with 300 random bytes
      And visitor sends POST "/acme/five" with 300 random bytes
      And visitor sends POST "/acme/six" with 300 random bytes
      Then the router retried no request (Z-17)

    @doc:routes-learning/differences
    Scenario Outline: a POST with a truncated response is not retried
      Given cell_us1 <breaks> "/acme/things", once
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router retried no request (buffering Z-17, learning LN-10)
      And no user sees a truncated response as complete (Z-41)

      Examples:
        | case   | breaks                                                   |
        | reset  | resets the connection within the body of its response to |
        | closed | closes the connection within the body of its response to |

    @doc:routes-learning/differences
    Scenario: a POST without a response on a reused connection is not retried
      Given visitor visited "/acme/before"
      And cell_us1 closes the connection instead of responding to "/acme/things", once
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router retried no request (buffering Z-17, learning LN-10)
      And visitor gets a cell's response, or a refusal (Z-35)

    @doc:routes-learning/differences
    Scenario: a POST with an idempotency key on a reused connection is not retried
      No document promises what the field asks for, so it does not make a POST idempotent (A-76).
      Given visitor visited "/acme/before"
      And cell_us1 closes the connection instead of responding to "/acme/things", once
      When visitor sends:
        """
        POST /acme/things
        Content-Length: 0
        Idempotency-Key: "8e03978e-40d5-43e8-bc93-6894a57f9324"

        """
      Then the router retried no request (buffering Z-17, learning LN-10)
      And visitor gets a cell's response, or a refusal (Z-35)

    @doc:routes-learning/differences
    Scenario Outline: a POST without a response of the first cell is not retried
      The first cell is the picked one under buffering, and the owner under learning.
      Given every cell <breaks> the connection instead of responding to "/acme/things", once
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router retried no request (buffering Z-17, learning LN-10)
      And visitor gets a cell's response, or a refusal (Z-35)
      And the last request reached exactly one cell (buffering Z-17, learning LN-10)

      Examples:
        | breaks |
        | closes |
        | resets |

    @doc:routes-learning/differences @late
    Scenario: a POST with a 503 response is not retried
      Given cell_us1 responds to "/acme/things" with the status 503 and "Retry-After: 1"
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router retried no request (buffering Z-17, learning LN-10)
      And visitor gets the response of cell_us1 (RT-08)

  Rule: Unread requests

    Scenario Outline: an idle connection that a cell closed loses no request
      The cell closes the connections while nothing is sent on them. The pauses let a router notice.
      Given every cell closes each connection after one response
      And visitor visited "/acme/before"
      And visitor visited "/nobody/knows/this"
      When 150 ms pass
      And visitor sends <method> "/acme/a" with <bytes> random bytes
      And 150 ms pass
      And visitor sends <method> "/acme/b" with <bytes> random bytes
      Then every user got a cell's response unchanged (Z-16)
      And the router retried no request (buffering Z-17, learning LN-10)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 65536 |

    @req:Z-17 @req:LN-10
    @doc:routes-learning/differences
    Scenario Outline: a connection that closes on reuse causes no unsafe retry
      The router has sent the next request, and no cell has read it. The router may use another
      connection.
      Given every cell closes each idle connection when it is reused
      When visitor sends <method> "/acme/a" with <bytes> random bytes
      And visitor sends <method> "/acme/b" with <bytes> random bytes
      And visitor sends <method> "/acme/c" with <bytes> random bytes
      Then visitor gets a cell's response, or a refusal (Z-35)
      And the router retried no request (buffering Z-17, learning LN-10)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 1024  |

    @req:Z-17 @req:LN-10
    @doc:routes-learning/differences
    Scenario Outline: a new connection that closes unread causes no unsafe retry
      Given cell_us1 closes its first connection before it reads
      When visitor sends <method> "/acme/a" with <bytes> random bytes
      Then visitor gets a cell's response, or a refusal (Z-35)
      And the router retried no request (buffering Z-17, learning LN-10)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 65536 |

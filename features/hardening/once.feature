@hardening @buffering @learning
Feature: A request is not sent again
  Bounces aside, a request is sent again only if the connection ended before the cell read any byte of it. Whether the cell
  has done what was asked is not known otherwise. A GET whose connection broke stands in a file of its own.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: A cell that has read the request

    # Only the first response is spoilt: a second attempt would succeed, and be seen.
    @req:Z-17 @req:Z-35
    Scenario Outline: a POST without a response is not sent again
      Given cell_us1 <breaks> "/acme/things", once
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then nothing was sent again (Z-17)
      And the router refused the request (Z-35)

      Examples:
        | case                    | method | bytes | breaks                                                 |
        | POST, closed            | POST   | 1024  | closes the connection instead of responding to |
        | POST, reset in the head | POST   | 1024  | resets the connection within the head of its response to |

    @req:Z-17 @req:Z-41
    Scenario Outline: a POST whose response breaks off is not sent again
      Given cell_us1 <breaks> "/acme/things", once
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then nothing was sent again (Z-17)
      And visitor is not given a part of a response as the whole (Z-41)

      Examples:
        | case         | method | bytes | breaks                                                         |
        | POST, reset  | POST   | 1024  | resets the connection within the body of its response to         |
        | POST, closed | POST   | 1024  | closes the connection within the body of its response to         |

    @req:Z-17 @req:Z-35
    Scenario Outline: on a connection that served before
      Given visitor visited "/acme/before"
      And cell_us1 <breaks> "/acme/things", once
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then nothing was sent again (Z-17)
      And the router refused the request (Z-35)

      Examples:
        | case         | method | bytes | breaks                                     |
        | POST, closed | POST   | 1024  | closes the connection instead of responding to |

    # In buffering this is the cold pick, in learning the owner.
    @req:Z-17 @req:Z-35
    Scenario Outline: the first cell that gets it
      Given every cell <breaks> the connection instead of responding to "/acme/things", once
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then nothing was sent again (Z-17)
      And the router refused the request (Z-35)
      And the last request reached exactly one cell (Z-17)

      Examples:
        | breaks |
        | closes |
        | resets |

    @req:Z-17 @req:RT-08
    Scenario: a response that speaks of a fault is a response
      Given cell_us1 responds to "/acme/things" with:
        """
        503
        Retry-After: 1

        """
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then nothing was sent again (Z-17)
      And visitor gets the response of cell_us1 (RT-08)

  Rule: A connection that ended before

    # Closed without a word, and nothing was sent on them yet. The pauses let a router see it.
    @req:Z-16 @req:Z-17
    Scenario Outline: kept connections that are closed while idle
      Given every cell closes each connection after one response
      And visitor visited "/acme/before"
      And visitor visited "/nobody/knows/this"
      When 150 ms pass
      And visitor sends <method> "/acme/a" with <bytes> random bytes
      And 150 ms pass
      And visitor sends <method> "/acme/b" with <bytes> random bytes
      Then every response reached its user as a cell gave it (Z-16)
      And nothing was sent again (Z-17)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 65536 |

    # The next request has been sent by then, and nobody has read it: another connection may be tried.
    @req:Z-17 @req:Z-35
    Scenario Outline: kept connections that are closed as they are used again
      Given every cell closes each kept connection as it is used again
      When visitor sends <method> "/acme/a" with <bytes> random bytes
      And visitor sends <method> "/acme/b" with <bytes> random bytes
      And visitor sends <method> "/acme/c" with <bytes> random bytes
      Then visitor gets a cell's response, or a refusal (Z-35)
      And nothing was sent again (Z-17)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 1024  |

    @req:Z-17 @req:Z-35
    Scenario Outline: a new connection that is closed unread
      Given cell_us1 closes 1 connection before it reads
      When visitor sends <method> "/acme/a" with <bytes> random bytes
      Then visitor gets a cell's response, or a refusal (Z-35)
      And nothing was sent again (Z-17)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 65536 |

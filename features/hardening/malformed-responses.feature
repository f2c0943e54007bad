@hardening
Feature: Malformed responses
  A response that cannot be parsed reaches no user. Where the RFCs leave a choice (a folded line,
  a line that is no field, a repeated Content-Length), the user gets the response or a refusal.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Invalid syntax

    @buffering @learning
    Scenario Outline: a malformed status line is refused
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        <line>
        Content-Type: text/plain
        Content-Length: 5

        hello\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-48)
      And the refusal names no cell (Z-48)

      Examples:
        | fault                | line           |
        | not HTTP             | hello          |
        | another protocol     | ICY 200 OK     |
        | status of two digits | HTTP/1.1 20 OK |

    @buffering @learning
    Scenario Outline: a response with <fault> arrives or is refused
      A recipient may leave out, or mend, a line that is no field (RFC 9110 2.4). A proxy may replace
      NUL by a space (5.5).
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        <line>
        Content-Length: 5

        hello\
        """
      When visitor visits "/acme/things"
      Then visitor gets status 200, 502, 503, 504, 508 (<row>)

      Examples:
        | fault                   | line                     | row  |
        | a line without a colon  | X-Field                  | Z-48 |
        | a field without a name  | : value                  | Z-48 |
        | a NUL in a field        | X-Field: a\\0b           | Z-48 |
        | the length in two lines | Content-Length: 5        | Z-49 |
        | a folded line           | X-Folded: one\\r\\n  two | Z-50 |

    @buffering @learning
    Scenario Outline: an incomplete header section is refused
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        <bytes>\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-48)

      Examples:
        | head                  | bytes                                        |
        | half a status line    | HTTP/1.1 2                                   |
        | no empty line         | HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n |
        | interim response only | HTTP/1.1 103 Early Hints\\r\\n\\r\\n         |

    @buffering @learning
    Scenario: an unrequested 101 response is not passed on as complete
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 101 Switching Protocols
        Connection: Upgrade
        Upgrade: websocket

        hello\
        """
      When visitor visits "/acme/things"
      Then no user sees a truncated response as complete (Z-48)

    @buffering @learning
    Scenario: a response header of 100 kB is passed on or refused
      Given cell_us1 responds to "/acme/things" with a field of 100000 bytes
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-48)

    @buffering @learning
    Scenario: a response header of 1 MB is not passed on truncated
      Given cell_us1 responds to "/acme/things" with a field of 1048576 bytes
      When visitor visits "/acme/things"
      Then no user sees a truncated response as complete (Z-48)

    @buffering
    Scenario Outline: a malformed response of the picked cell is refused
      Given every cell responds to "/acme/things" with raw bytes:
        """
        <bytes>\
        """
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router refused the request (Z-48)
      And the last request reached exactly one cell (Z-48)

      Examples:
        | fault               | bytes                                                                                        |
        | not HTTP            | 302 Found\\r\\n\\r\\n                                                                        |
        | incomplete redirect | HTTP/1.1 302 Found\\r\\nX-Gitlab-Cell-Redirect: {cell:Cell US1}\\r\\nContent-Length: 0\\r\\n |

    @buffering @learning
    Scenario: a malformed response does not affect the next request
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        hello
        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-48)

  @buffering @learning
  Rule: Invalid lengths

    Scenario Outline: contradictory or invalid Content-Length is refused
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        <lengths>

        hello you\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-49)

      Examples:
        | fault     | lengths                                  |
        | two lines | Content-Length: 5\\r\\nContent-Length: 9 |
        | list      | Content-Length: 5, 9                     |
        | negative  | Content-Length: -5                       |
        | too large | Content-Length: 99999999999999999999     |

    Scenario Outline: equal lengths reach the user as one
      They may also be refused (RFC 9110 8.6). Every trace shows whether a user got a length twice.
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        <lengths>

        hello you\
        """
      When visitor visits "/acme/things"
      Then visitor gets status 200, 502 (Z-49)

      Examples:
        | case      | lengths                                  |
        | two lines | Content-Length: 9\\r\\nContent-Length: 9 |
        | list      | Content-Length: 9, 9                     |

    Scenario: Content-Length together with Transfer-Encoding does not affect the next response
      Transfer-Encoding overrides Content-Length (RFC 9112 6.3). An intermediary may also treat it
      as an attack.
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 3
        Transfer-Encoding: chunked

        5
        hello
        0

        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-49)

    Scenario: a response longer than its Content-Length does not reach another user
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5

        helloHTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5

        wrong\
        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      And anna visits "/acme/others"
      Then anna gets the response of cell_us1 (Z-49)
      And visitor gets the response of cell_us1 (Z-49)

    Scenario Outline: a malformed chunk is not passed on as complete
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Transfer-Encoding: chunked

        <chunks>\
        """
      When visitor visits "/acme/things"
      Then no user sees a truncated response as complete (Z-41)

      Examples:
        | fault                | chunks                            |
        | size not a number    | xyz\\r\\nhello\\r\\n0\\r\\n\\r\\n |
        | longer than its size | 3\\r\\nhello\\r\\n0\\r\\n\\r\\n   |

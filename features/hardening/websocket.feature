@hardening @capability:upgrade
Feature: WebSocket upgrades
  A WebSocket request goes to the cell that owns the path, like any request, and the connection
  stays open. A cell that does not own the path sends no 101.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/tools" on cell_eu1
    And a cold EU router

  Rule: Upgrades reach the owner

    @buffering
    Scenario Outline: a WebSocket reaches its owner from whichever cell is asked
      When anna opens a WebSocket at "/tools/-/cable", asking <asked> first
      And anna sends the message "hello"
      Then anna was connected to cell_eu1 (Z-23)
      And anna received the message "cell_eu1: hello" (Z-23)

      Examples:
        | asked    |
        | cell_eu0 |
        | cell_eu1 |

    @buffering @learning
    Scenario: a WebSocket at a global path reaches any one cell
      The WebSocket of the whole installation: any cell can serve it.
      When anna opens a WebSocket at "/-/cable"
      Then anna gets status 101 (Z-23)
      And the last request reached exactly one cell (Z-23)

    @buffering @learning
    Scenario: a WebSocket reaches an owner in the home region
      When anna opens a WebSocket at "/tools/-/cable"
      And anna sends the message "hello"
      Then anna was connected to cell_eu1 (Z-23)
      And anna received the message "cell_eu1: hello" (Z-23)

    @buffering @learning @late
    Scenario: a WebSocket reaches an owner in another region
      When anna opens a WebSocket at "/acme/-/cable"
      And anna sends the message "hello"
      And anna sends the message "once more, with feeling"
      And anna closes the WebSocket
      Then anna was connected to cell_us1 (Z-23)
      And anna received the message "cell_us1: hello" (Z-23)
      And anna received the message "cell_us1: once more, with feeling" (Z-23)
      And the router retried no request (Z-23)

    @buffering @learning
    Scenario: a WebSocket reaches its owner on a warm cache
      Given anna visited "/acme/things"
      When anna opens a WebSocket at "/acme/-/cable"
      And anna sends the message "hello"
      Then anna was connected to cell_us1 (Z-23)
      And anna received the message "cell_us1: hello" (Z-23)
      And the last request reached exactly one cell (Z-23)

    @buffering @learning
    Scenario: a WebSocket at a private path reaches its owner
      Given anna is signed in
      When anna opens a WebSocket at "/my-company/-/cable"
      And anna sends the message "hello"
      Then anna was connected to cell_eu0 (Z-23)
      And anna received the message "cell_eu0: hello" (Z-23)

  @buffering @learning
  Rule: Connections stay open

    @late
    Scenario: a WebSocket stays open while other requests come and go
      Given cell_us1 holds its response to "/acme/held"
      When anna opens a WebSocket at "/acme/-/cable"
      And nina opens a WebSocket at "/tools/-/cable"
      And visitor visits "/acme/things"
      And gabe starts to visit "/acme/held"
      And anna sends the message "hello"
      And nina sends the message "good day"
      And visitor visits "/acme/more"
      And the held responses are released
      Then anna received the message "cell_us1: hello" (Z-23)
      And nina received the message "cell_eu1: good day" (Z-23)
      And visitor gets the response of cell_us1 (Z-23)

    Scenario: a WebSocket carries five messages one after the other
      When anna opens a WebSocket at "/acme/-/cable"
      And anna sends the message "one"
      And anna sends the message "two"
      And anna sends the message "three"
      And anna sends the message "four"
      And anna sends the message "five"
      Then anna received the message "cell_us1: one" (Z-23)
      And anna received the message "cell_us1: two" (Z-23)
      And anna received the message "cell_us1: three" (Z-23)
      And anna received the message "cell_us1: four" (Z-23)
      And anna received the message "cell_us1: five" (Z-23)

  Rule: Lengths of an upgrade

    @buffering @learning
    Scenario: a 101 with Content-Length reaches the user without it
      What follows is no content, whatever its length is said to be (RFC 9112 6.3).
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 101 Switching Protocols
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=
        Content-Length: 5

        """
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Sec-WebSocket-Version: 13

        """
      Then visitor gets status 101, 502 (Z-78)
      And no 1xx or 204 to a user has a length (Z-78)

  @buffering @learning
  Rule: Requests without an upgrade

    Scenario: a GET without an upgrade request gets the cell's 426
      When visitor visits "/acme/-/cable"
      Then visitor gets the response of cell_us1 (Z-23)
      And visitor gets status 426 (Z-23)
      And the response to visitor carries the fields: (Z-23)
        """
        Upgrade: websocket
        """

    Scenario: an upgrade request that the cell refuses gets the cell's 403
      Given cell_us1 responds to "/acme/-/cable" with:
        """
        403
        Content-Type: text/plain

        not from there
        """
      When anna opens a WebSocket at "/acme/-/cable"
      Then anna gets the response of cell_us1 (Z-23)

    Scenario: an upgrade request to an unavailable owner is refused
      Given cell_us1 refuses connections
      When anna opens a WebSocket at "/acme/-/cable"
      Then the router refused the request (Z-35)

    Scenario: an upgrade request at an unknown path gets a 404
      Given anna is signed in
      When anna opens a WebSocket at "/nobody/knows/-/cable"
      And visitor visits "/acme/things"
      Then anna gets status 404 (Z-23)
      And visitor gets the response of cell_us1 (Z-23)

  @buffering @learning
  Rule: Upgrade handshakes

    Scenario Outline: the fields of a handshake reach the cell
      Given visitor visited "<known>"
      When visitor sends raw bytes:
        """
        GET /acme/-/cable HTTP/1.1
        {host and id}
        Connection: Upgrade
        Upgrade: websocket
        Origin: https://gitlab.example
        Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Sec-WebSocket-Protocol: actioncable-v1-json, actioncable-unsupported
        Sec-WebSocket-Version: 13

        """
      Then every copy of the request carried the user's fields (Z-68)
      And visitor gets the response of cell_us1 (RT-08)

      Examples:
        | case | known        |
        | cold | /            |
        | warm | /acme/before |

    Scenario Outline: the fields of a 101 reach the user
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 101 Switching Protocols
        Connection: Upgrade, X-Listed
        Upgrade: websocket
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=
        X-Listed: secret
        <field>

        """
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Extensions: permessage-deflate
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Sec-WebSocket-Protocol: first, second
        Sec-WebSocket-Version: 13

        """
      Then the response to visitor has no "secret" in the field "X-Listed" (Z-22)
      And visitor gets the response of cell_us1 (RT-08)

      Examples:
        | kind        | field                                        |
        | subprotocol | Sec-WebSocket-Protocol: second               |
        | extension   | Sec-WebSocket-Extensions: permessage-deflate |
        | cookie      | Set-Cookie: cable=1; Path=/                  |
        | other       | X-Request-Id: request-0101                   |

    Scenario Outline: a refused handshake leaves the connection to HTTP
      Given cell_us1 responds to "/acme/-/cable" with:
        """
        <status>
        Content-Type: text/plain

        not from there
        """
      When several users share a connection, in turns:
        """
        anna sends GET /acme/-/cable
        Connection: keep-alive, Upgrade
        Upgrade: websocket
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Sec-WebSocket-Version: 13
        nina sends GET /tools/things
        visitor sends POST /acme/things

        from visitor
        """
      Then each user on the connection got the response to their own request (Z-43)
      And nina gets the response of cell_eu1 (Z-96)

      Examples:
        | status |
        | 200    |
        | 401    |
        | 403    |
        | 426    |
        | 503    |

  @buffering @learning
  Rule: Bytes of a tunnel

    Scenario Outline: what comes behind a 101 reaches the user
      A server may speak first. What it says can come in one piece with the 101.
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 101 Switching Protocols
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=

        <bytes>\
        """
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: Upgrade
        Upgrade: websocket
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
        Sec-WebSocket-Version: 13

        """
      Then visitor received the message "<bytes>" (Z-23)

      Examples:
        | kind        | bytes           |
        | first words | ..welcome       |
        | like HTTP   | HTTP/1.1 200 OK |

    Scenario: a WebSocket outlasts the response timeout
      The messages come at less than half of it from each other.
      Given the response timeout is 1000 ms
      When anna opens a WebSocket at "/acme/-/cable"
      And anna sends the message "one"
      And 450 ms pass
      And anna sends the message "two"
      And 450 ms pass
      And anna sends the message "three"
      And 450 ms pass
      And anna sends the message "four"
      Then anna received the message "cell_us1: four" (Z-23)

@hardening
Feature: Hop-by-hop fields
  A field about a connection is for the peer alone. So is every field that Connection lists.
  Neither a user nor a cell can reach other fields by listing them.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Rule: Request fields

    Scenario Outline: a field that Connection lists reaches no cell
      Given visitor visited "<known>"
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: close, X-Listed
        X-Listed: secret

        """
      Then no cell received "secret" in the field "X-Listed" (Z-22)
      And visitor gets the response of cell_us1 (RT-08)

      Examples:
        | case | known        |
        | cold | /            |
        | warm | /acme/before |

    Scenario Outline: an unlisted hop-by-hop field reaches no cell
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: close, X-Other
        <field>: <value>

        """
      Then no cell received "<value>" in the field "<field>" (Z-53)
      And visitor gets the response of cell_us1 (RT-08)

      Examples:
        | field            | value           |
        | Keep-Alive       | timeout=77      |
        | Proxy-Connection | keep-alive, odd |
        | TE               | x-odd;q=0.5     |

    @late
    Scenario: the Connection field of a user reaches no cell
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: X-Listed
        Connection: close
        X-Listed: secret

        """
      Then no cell received "X-Listed" in the field "Connection" (Z-22)
      And no cell received the field "X-Listed" (Z-22)
      And visitor gets the response of cell_us1 (Z-22)

    Scenario: a request to change to HTTP/2 does not become one for WebSocket
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: Upgrade, HTTP2-Settings, close
        Upgrade: h2c
        HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA

        """
      Then no cell received "websocket" in the field "Upgrade" (Z-22)
      And visitor gets status 200 (RT-08)

    Scenario Outline: listing <listed> in Connection does not break the request
      Without it no cell could read the request.
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        Content-Length: 5
        Connection: close, <listed>

        hello\
        """
      Then visitor gets status 200, 400 (Z-22)

      Examples:
        | listed         |
        | Content-Length |
        | Host           |

  Rule: Response fields

    @buffering @learning
    Scenario Outline: a field that Connection lists does not reach the user
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5
        Connection: close, <listed>
        <listed>: <value>

        hello\
        """
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: close

        """
      Then no response to a user carries the field "<listed>" (Z-22)
      And the response to visitor has no "<listed>" in the field "Connection" (Z-22)
      And visitor sees the text "hello" (Z-22)

      Examples:
        | listed              | value                |
        | X-Listed            | secret               |
        | X-Gitlab-Cell-Cache | {path_prefix:/acme/} |

    @buffering @learning
    Scenario Outline: an unlisted hop-by-hop field does not reach the user
      The router may send its own Keep-Alive.
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5
        Connection: close
        <field>: <value>

        hello\
        """
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: close

        """
      Then the response to visitor has no "<value>" in the field "<field>" (Z-53)
      And visitor sees the text "hello" (Z-53)

      Examples:
        | field            | value      |
        | Keep-Alive       | timeout=77 |
        | Proxy-Connection | keep-alive |

    @buffering
    Scenario: a redirect header that Connection lists does not reach the user
      The header is for the router, listed or not. It never reaches the user.
      Given every EU cell responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 302 Found
        Connection: close, X-Gitlab-Cell-Redirect
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        Content-Length: 0

        """
      When visitor visits "/acme/things"
      Then no response to a user carries the field "X-Gitlab-Cell-Redirect" (Z-22)

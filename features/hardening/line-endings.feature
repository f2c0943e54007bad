@hardening @buffering @learning
Feature: Line endings and whitespace in requests
  Router and cell agree on where the header section ends. A server may accept a bare LF as a line
  ending, replace a bare CR or NUL by a space, and unfold a line (RFC 9112 2.2 and 5.2, RFC 9110
  5.5). Nothing inside the request may reach a cell as a separate request.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router
    And visitor visited "/acme/before"

  Rule: Bare line endings

    Scenario Outline: a bare CR in a field smuggles no request
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        <field>
        Content-Length: 35

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the raw request (Z-55)
      And no part of the raw request reached a cell (Z-55)

      Examples:
        | case                       | field                                            |
        | in a value                 | X-Field: a\\rb                                   |
        | before a field             | X-Field: a\\rContent-Length: 0                   |
        | as an early end of headers | X-Field: a\\r\\rGET /smuggled HTTP/1.1\\rHost: a |

    Scenario: a bare LF in a field smuggles no request
      A server that accepts bare LFs reads two requests and returns two responses. No reading allows
      one response.
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        X-Field: a\n\nGET /acme/second HTTP/1.1\nHost: {host}\nX-Conformance-Id: {id}
        Connection: close

        """
      Then the user got a response to every request that reached a cell (Z-54)
      And the router refused the raw request (Z-55)
      And no part of the raw request reached a cell (Z-55)

    Scenario Outline: a bare line ending in the request line smuggles no request
      When visitor sends raw bytes:
        """
        GET /acme/things<sign>HTTP/1.1
        {host and id}

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the raw request (Z-55)
      And no part of the raw request reached a cell (Z-55)

      Examples:
        | case | sign                                        |
        | CR   | \\rHTTP/1.1\\rX-Field: a GET /smuggled\\x20 |
        | LF   | \\x20HTTP/1.1\\nX-Field: a\\x20             |

    Scenario Outline: a NUL byte in a field reaches no cell
      A router may refuse the request, send a space in its place, or drop a line that is no field.
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        <field>
        Connection: close

        """
      Then no cell received a NUL (Z-63)

      Examples:
        | case       | field          |
        | in a value | X-Field: a\\0b |
        | in a name  | X-Fi\\0eld: a  |

  Rule: Whitespace and folding

    Scenario Outline: a blank before the colon of a field is refused
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        <field>
        Connection: close

        """
      Then the router refused the raw request (Z-50)
      And no part of the raw request reached a cell (Z-50)
      And visitor gets status 400 (Z-50)

      Examples:
        | case          | field                                    |
        | unknown field | X-Field : a                              |
        | routing field | X-Gitlab-Cell-Redirect : {cell:Cell US0} |

    Scenario Outline: a folded request field is unfolded or refused
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        X-Field: one
        <fold>
        Connection: close

        """
      Then visitor gets status 200, 400 (Z-50)
      And a cell received the field "X-Field" as "<whole>", or the router refused the raw request (Z-50)

      Examples:
        | case         | fold            | whole          |
        | with blanks  | \\x20\\x20two   | one two        |
        | with a tab   | \\ttwo          | one two        |
        | like a field | \\x20X-Spoof: a | one X-Spoof: a |

    Scenario: a blank before the first field smuggles no request
      A server drops such a line or refuses the request (RFC 9112 2.2). It never uses the field.
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
         Transfer-Encoding: chunked
        {host and id}
        Content-Length: 40

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

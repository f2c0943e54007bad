@hardening @buffering @learning
Feature: Request smuggling
  Two parsers may disagree on where a request ends. Each body here hides a second request, which
  must not reach a cell as a separate request. Other requirements say whether the router refuses
  the outer request: it MAY where RFC 9112 lets a server repair it, and MUST where its length is
  undefined.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router
    And visitor visited "/acme/before"

  Rule: Body framing

    Scenario Outline: Content-Length together with Transfer-Encoding smuggles no request
      A server may use the chunks, and then closes the connection (RFC 9112 6.1). None goes by the
      length, however the coding is spelled.
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        <one>
        <other>

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And no copy of the request kept the length beside its chunks (Z-95)
      And the router refused the raw request (Z-55)
      And no part of the raw request reached a cell (Z-55)

      Examples:
        | case              | one                                | other                            |
        | length first      | Content-Length: 40                 | Transfer-Encoding: chunked       |
        | coding first      | Transfer-Encoding: chunked         | Content-Length: 40               |
        | mixed case        | content-length: 40                 | TRANSFER-ENCODING: CHUNKED       |
        | tabs around       | Content-Length: 40                 | Transfer-Encoding:\\tchunked\\t  |
        | list with a gap   | Content-Length: 40                 | Transfer-Encoding: , chunked     |
        | line of its own   | Content-Length: 40                 | Transfer-Encoding:\\r\\n chunked |
        | folded, and first | Transfer-Encoding:\\r\\n\\tchunked | Content-Length: 40               |

    Scenario: a length with chunks ends there, and so does the connection
      A server may go by the chunks, and then it does all of this.
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        Content-Length: 7
        Transfer-Encoding: chunked

        5
        hello
        0

        GET /acme/unsolicited HTTP/1.1
        Host: {host}

        """
      Then no copy of the request kept the length beside its chunks (Z-95)
      And no cell received a request for "/acme/unsolicited" (Z-95)

    Scenario Outline: a request with an unknown coding is refused
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        Transfer-Encoding: <coding>
        Connection: close

        5
        hello
        0

        """
      Then the router refused the raw request (Z-94)
      And no part of the raw request reached a cell (Z-94)

      Examples:
        | case        | coding       |
        | a parameter | chunked;q=1  |
        | two codings | cow, chunked |

    Scenario Outline: a body of doubtful length smuggles no request
      Whoever takes no lone LF for the end of a line may make a blank of it (RFC 9110 5.5). Then
      there is no coding, and the length counts. The coding defines no parameter (RFC 9112 7.1).
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        <lines>

        <body>GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the raw request (<row>)
      And no part of the raw request reached a cell (<row>)

      Examples: a blank before the colon
        | case               | row  | lines                                               | body          |
        | blank after coding | Z-50 | Content-Length: 40\\r\\nTransfer-Encoding : chunked | 0\\r\\n\\r\\n |
        | blank after length | Z-50 | Content-Length : 35                                 |               |

      Examples: a length that a server may repair
        | case                   | row  | lines                                                           | body          |
        | coding behind an LF    | Z-55 | Content-Length: 40\\r\\nX-Field: a\\nTransfer-Encoding: chunked | 0\\r\\n\\r\\n |
        | same length, two lines | Z-55 | Content-Length: 35\\r\\nContent-Length: 35                      |               |
        | same length, a list    | Z-55 | Content-Length: 35, 35                                          |               |

      Examples: no valid length
        | case                | row  | lines                                                        | body          |
        | coding and length   | Z-56 | Content-Length: 40\\r\\nTransfer-Encoding: xchunked          | 0\\r\\n\\r\\n |
        | codings and length  | Z-56 | Content-Length: 40\\r\\nTransfer-Encoding: chunked, identity | 0\\r\\n\\r\\n |
        | unsupported coding  | Z-56 | Transfer-Encoding: cow                                       | 0\\r\\n\\r\\n |
        | unsupported codings | Z-56 | Transfer-Encoding: chunked, identity                         | 0\\r\\n\\r\\n |
        | lengths, two lines  | Z-56 | Content-Length: 35\\r\\nContent-Length: 0                    |               |
        | lengths, a list     | Z-56 | Content-Length: 0, 35                                        |               |
        | negative length     | Z-56 | Content-Length: -1                                           |               |
        | length with a plus  | Z-56 | Content-Length: +35                                          |               |

      Examples: a coding with a parameter
        | case             | row  | lines                                                  | body          |
        | coding parameter | Z-94 | Content-Length: 40\\r\\nTransfer-Encoding: chunked;q=1 | 0\\r\\n\\r\\n |

  Rule: Body length

    Scenario Outline: a body of an unusual request smuggles no request
      A body is part of the message, whatever the method. A large length is valid, so RFC 9110 8.6
      only asks that no parser reads another number.
      When visitor sends raw bytes:
        """
        <method> /acme/things HTTP/1.1
        {host and id}
        Content-Length: <length>

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

      Examples:
        | case               | method | length                  |
        | GET                | GET    | 35                      |
        | HEAD               | HEAD   | 35                      |
        | beyond any counter | POST   | 99999999999999999999999 |

    Scenario Outline: malformed request chunks smuggle no request
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        Transfer-Encoding: chunked

        <chunk>0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

      Examples:
        | case                 | chunk                              |
        | hexadecimal prefix   | 0x5\\r\\nhello\\r\\n               |
        | size too large       | FFFFFFFFFFFFFFFF5\\r\\nhello\\r\\n |
        | longer than its size | 4\\r\\nhello\\r\\n                 |
        | no line ending       | 5\\r\\nhelloXX                     |

  Rule: Body of a refused request

    Scenario Outline: a body whose owner is down smuggles no request
      The router responds before the body has come, or without it.
      When cell_us1 goes down
      And visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        Content-Length: 35

        <pause>GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

      Examples:
        | case          | pause    |
        | at once       |          |
        | after a pause | {300 ms} |

    Scenario Outline: a body that goes no further smuggles no request
      A router that forwards the request after all finds the body's end.
      When visitor sends raw bytes:
        """
        <request> HTTP/1.1
        {host and id}
        <field>
        Content-Length: 35

        <pause>GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

      Examples:
        | case                      | request                           | field                                     | pause    |
        | at once                   | OPTIONS /acme/things              | Max-Forwards: 0                           |          |
        | after a pause             | OPTIONS /acme/things              | Max-Forwards: 0                           | {300 ms} |
        | not asked for             | OPTIONS /acme/things              | Max-Forwards: 0\\r\\nExpect: 100-continue | {300 ms} |
        | learn path, at once       | POST /api/v4/internal/cells/learn | Accept: */*                               |          |
        | learn path, after a pause | POST /api/v4/internal/cells/learn | Accept: */*                               | {300 ms} |

  Rule: Other users after an attack

    Scenario: a smuggling attempt does not affect other users
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        Content-Length: 40
        Transfer-Encoding: chunked

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      And anna visits "/acme/things"
      And nina visits "/acme/more"
      Then anna gets the response of cell_us1 (Z-54)
      And nina gets the response of cell_us1 (Z-54)
      And no cell received a request for "/smuggled" (Z-54)

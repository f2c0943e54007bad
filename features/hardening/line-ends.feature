@hardening @buffering @learning
Feature: Line ends and blanks in requests
  A head ends at one place for router and cell alike. A server may take a bare LF for the end of a line, a bare CR or a zero
  byte for a blank, and may unfold a line (RFC 9112 2.2 and 5.2, RFC 9110 5.5); nothing inside of the request may reach a cell
  as a request of its own.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router
    And visitor visited "/acme/before"

  Rule: Line ends

    @req:Z-54 @req:Z-55
    Scenario Outline: a bare CR in a head hides no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <field>
        Content-Length: 35

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-55)
      And nothing of the bytes reached a cell (Z-55)

      Examples:
        | case           | field                                            |
        | in a value     | X-Field: a\\rb                                   |
        | before a field | X-Field: a\\rContent-Length: 0                   |
        | an early end   | X-Field: a\\r\\rGET /smuggled HTTP/1.1\\rHost: a |

    # Read with bare LFs these are two requests, each with a response of its own. What no reading allows is one response.
    @req:Z-54 @req:Z-55
    Scenario: a bare LF that ends a head early hides no request
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        X-Field: a\n\nGET /acme/second HTTP/1.1\nHost: {host}\nX-Conformance-Id: {id}
        Connection: close

        """
      Then every request that reached a cell was answered (Z-54)
      And the router refused the bytes (Z-55)
      And nothing of the bytes reached a cell (Z-55)

    @req:Z-54 @req:Z-55
    Scenario Outline: a bare line end in a request line hides no request
      When visitor sends the bytes:
        """
        GET /acme/things<sign>HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-55)
      And nothing of the bytes reached a cell (Z-55)

      Examples:
        | case | sign                                        |
        | CR   | \\rHTTP/1.1\\rX-Field: a GET /smuggled\\x20 |
        | LF   | \\x20HTTP/1.1\\nX-Field: a\\x20             |

    @req:Z-54
    Scenario Outline: a zero byte in a head hides no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <field>
        Content-Length: 35

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

      Examples:
        | case       | field          |
        | in a value | X-Field: a\\0b |
        | in a name  | X-Fi\\0eld: a  |

  Rule: Blanks and folds

    @req:Z-50
    Scenario Outline: a blank before the colon of a field is refused
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <field>
        Connection: close

        """
      Then the router refused the bytes (Z-50)
      And nothing of the bytes reached a cell (Z-50)
      And visitor gets status 400 (Z-50)

      Examples:
        | case             | field                                    |
        | a blank          | X-Field : a                              |
        | a router's field | X-Gitlab-Cell-Redirect : {cell:Cell US0} |

    @req:Z-50
    Scenario Outline: a folded line is unfolded or refused
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        X-Field: one
        <fold>
        Connection: close

        """
      Then visitor gets one of the statuses "200, 400" (Z-50)
      And the field "X-Field" came to a cell as "<whole>", or the bytes were refused (Z-50)

      Examples:
        | case                | fold            | whole          |
        | blanks              | \\x20\\x20two   | one two        |
        | a tab               | \\ttwo          | one two        |
        | what looks like one | \\x20X-Spoof: a | one X-Spoof: a |

    # Such a line is dropped, or the request refused (RFC 9112 2.2); its field counts in no case.
    @req:Z-54
    Scenario: a blank before the first field hides no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
         Transfer-Encoding: chunked
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 40

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

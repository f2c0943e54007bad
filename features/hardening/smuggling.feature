@hardening @buffering @learning
Feature: Requests inside of requests
  Where two readers could find different ends of a request, it is refused, so that nothing inside of it reaches a cell as a
  request of its own. Each body here hides one.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router
    And visitor visited "/acme/before"

  Rule: Length and coding

    @req:Z-22
    Scenario Outline: both
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <one>
        <other>

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then the router refused the bytes (Z-22)
      And no cell received a request for "/smuggled" (Z-22)

      Examples:
        | case         | one                        | other                      |
        | length first | Content-Length: 40         | Transfer-Encoding: chunked |
        | coding first | Transfer-Encoding: chunked | Content-Length: 40         |
        | capitals     | content-length: 40         | TRANSFER-ENCODING: CHUNKED |

    @req:Z-22
    Scenario Outline: a coding that is not plainly chunked
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 40
        <coding>

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then the router refused the bytes (Z-22)
      And no cell received a request for "/smuggled" (Z-22)

      Examples:
        | case               | coding                                  |
        | another word       | Transfer-Encoding: xchunked             |
        | chunked not last   | Transfer-Encoding: chunked, identity    |
        | a parameter        | Transfer-Encoding: chunked;q=1          |
        | folded             | Transfer-Encoding:\\r\\n chunked        |
        | blank before colon | Transfer-Encoding : chunked             |
        | after a bare LF    | X-Field: a\\nTransfer-Encoding: chunked |

    @req:Z-22
    Scenario Outline: a coding that nobody knows
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Transfer-Encoding: <coding>

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then the router refused the bytes (Z-22)
      And no cell received a request for "/smuggled" (Z-22)

      Examples:
        | coding            |
        | cow               |
        | chunked, identity |

  Rule: Lengths

    @req:Z-22
    Scenario Outline: more than one, or none that is a number
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <lengths>

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then the router refused the bytes (Z-22)
      And no cell received a request for "/smuggled" (Z-22)

      Examples:
        | case               | lengths                                    |
        | the longer first   | Content-Length: 35\\r\\nContent-Length: 0  |
        | two equal lines    | Content-Length: 35\\r\\nContent-Length: 35 |
        | a list             | Content-Length: 0, 35                      |
        | an equal list      | Content-Length: 35, 35                     |
        | negative           | Content-Length: -1                         |
        | plus               | Content-Length: +35                        |
        | too large          | Content-Length: 99999999999999999999999    |
        | blank before colon | Content-Length : 35                        |

    # A body is a body, whatever the method.
    @req:Z-22
    Scenario Outline: a body where few expect one
      When visitor sends the bytes:
        """
        <method> /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 35

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-22)

      Examples:
        | method |
        | GET    |
        | HEAD   |

    @req:Z-22
    Scenario Outline: chunks that are none
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Transfer-Encoding: chunked

        <chunk>0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-22)

      Examples:
        | case             | chunk                              |
        | hexadecimal sign | 0x5\\r\\nhello\\r\\n               |
        | too large        | FFFFFFFFFFFFFFFF5\\r\\nhello\\r\\n |
        | longer than said | 4\\r\\nhello\\r\\n                 |
        | no end           | 5\\r\\nhelloXX                     |

  Rule: Line ends

    @req:Z-22
    Scenario Outline: bare line ends in a head
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
      Then the router refused the bytes (Z-22)
      And no cell received a request for "/smuggled" (Z-22)

      Examples:
        | case               | field                                               |
        | CR in a value      | X-Field: a\\rb                                      |
        | CR before a field  | X-Field: a\\rContent-Length: 0                      |
        | an early end by LF | X-Field: a\\n\\nGET /smuggled HTTP/1.1\\nHost: a\\n |
        | an early end by CR | X-Field: a\\r\\rGET /smuggled HTTP/1.1\\rHost: a    |

    @req:Z-22
    Scenario Outline: in the request line
      When visitor sends the bytes:
        """
        GET /acme/things<sign>HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}

        """
      Then the router refused the bytes (Z-22)

      Examples:
        | case | sign                                        |
        | CR   | \\rHTTP/1.1\\rX-Field: a GET /smuggled\\x20 |
        | LF   | \\x20HTTP/1.1\\nX-Field: a\\x20             |

    # RFC 9110 5.5 lets a zero byte become a blank.
    @req:Z-22
    Scenario Outline: a zero byte
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
      Then no cell received a request for "/smuggled" (Z-22)

      Examples:
        | case       | field          |
        | in a value | X-Field: a\\0b |
        | in a name  | X-Fi\\0eld: a  |

  Rule: Blanks and folds

    @req:Z-50
    Scenario Outline: a blank before the colon
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <field>
        Connection: close

        """
      Then the router refused the bytes (Z-50)
      And visitor gets status 400 (Z-50)

      Examples:
        | case             | field                                    |
        | a blank          | X-Field : a                              |
        | a router's field | X-Gitlab-Cell-Redirect : {cell:Cell US0} |

    @req:Z-50
    Scenario Outline: a folded line
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
    @req:Z-50
    Scenario: a blank before the first field
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
      Then no cell received a request for "/smuggled" (Z-50)

  Rule: After it all

    @req:Z-22
    Scenario: others are not harmed
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 40
        Transfer-Encoding: chunked

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      And anna visits "/acme/things"
      And nina visits "/acme/more"
      Then anna gets what cell_us1 answered (Z-22)
      And nina gets what cell_us1 answered (Z-22)
      And no cell received a request for "/smuggled" (Z-22)

@hardening @buffering @learning
Feature: Requests within requests
  Where two readers could find different ends of a request, nothing inside of it reaches a cell as a request of its own. Each
  body here hides one. Whether such a request is refused has requirements of its own: it SHOULD be where RFC 9112 lets a
  server repair it, and MUST be where its length cannot be told.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router
    And visitor visited "/acme/before"

  Rule: A length and a coding

    # A server may go by the chunks; the connection ends then (RFC 9112 6.1).
    @req:Z-54 @req:Z-55
    Scenario Outline: a request with a length and chunks hides no request
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
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-55)
      And nothing of the bytes reached a cell (Z-55)

      Examples:
        | case         | one                        | other                      |
        | length first | Content-Length: 40         | Transfer-Encoding: chunked |
        | coding first | Transfer-Encoding: chunked | Content-Length: 40         |
        | capitals     | content-length: 40         | TRANSFER-ENCODING: CHUNKED |

    @req:Z-54 @req:Z-55
    Scenario Outline: a request whose coding can be repaired hides no request
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
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-55)
      And nothing of the bytes reached a cell (Z-55)

      Examples:
        | case            | coding                                  |
        | a parameter     | Transfer-Encoding: chunked;q=1          |
        | folded          | Transfer-Encoding:\\r\\n chunked        |
        | after a bare LF | X-Field: a\\nTransfer-Encoding: chunked |

    @req:Z-54 @req:Z-56
    Scenario Outline: a length beside a coding that is not chunked hides no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 40
        Transfer-Encoding: <coding>

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-56)
      And nothing of the bytes reached a cell (Z-56)

      Examples:
        | coding            |
        | xchunked          |
        | chunked, identity |

    @req:Z-54 @req:Z-56
    Scenario Outline: a coding that is not chunked hides no request
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
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-56)
      And nothing of the bytes reached a cell (Z-56)

      Examples:
        | coding            |
        | cow               |
        | chunked, identity |

    @req:Z-54 @req:Z-50
    Scenario: a blank before the colon of a coding hides no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 40
        Transfer-Encoding : chunked

        0

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-50)
      And nothing of the bytes reached a cell (Z-50)

  Rule: Lengths

    @req:Z-54 @req:Z-55
    Scenario Outline: equal lengths hide no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <lengths>

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-55)
      And nothing of the bytes reached a cell (Z-55)

      Examples:
        | case      | lengths                                    |
        | two lines | Content-Length: 35\\r\\nContent-Length: 35 |
        | a list    | Content-Length: 35, 35                     |

    @req:Z-54 @req:Z-56
    Scenario Outline: lengths that differ or are no numbers hide no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        <lengths>

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-56)
      And nothing of the bytes reached a cell (Z-56)

      Examples:
        | case             | lengths                                   |
        | the longer first | Content-Length: 35\\r\\nContent-Length: 0 |
        | a list           | Content-Length: 0, 35                     |
        | negative         | Content-Length: -1                        |
        | plus             | Content-Length: +35                       |

    @req:Z-54 @req:Z-50
    Scenario: a blank before the colon of a length hides no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length : 35

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)
      And the router refused the bytes (Z-50)
      And nothing of the bytes reached a cell (Z-50)

    # A body is a body, whatever the method.
    @req:Z-54
    Scenario Outline: a body where few expect one hides no request
      When visitor sends the bytes:
        """
        <method> /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 35

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

      Examples:
        | method |
        | GET    |
        | HEAD   |

    # It is a number, so RFC 9110 8.6 asks only that nobody reads another one.
    @req:Z-54
    Scenario: a length that is too large for any counter hides no request
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 99999999999999999999999

        GET /smuggled HTTP/1.1
        Host: a

        """
      Then no cell received a request for "/smuggled" (Z-54)

    @req:Z-54
    Scenario Outline: chunks that are none hide no request
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
      Then no cell received a request for "/smuggled" (Z-54)

      Examples:
        | case             | chunk                              |
        | hexadecimal sign | 0x5\\r\\nhello\\r\\n               |
        | too large        | FFFFFFFFFFFFFFFF5\\r\\nhello\\r\\n |
        | longer than said | 4\\r\\nhello\\r\\n                 |
        | no end           | 5\\r\\nhelloXX                     |

  Rule: After it all

    @req:Z-54
    Scenario: a hidden request does no harm to other users
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
      Then anna gets the response of cell_us1 (Z-54)
      And nina gets the response of cell_us1 (Z-54)
      And no cell received a request for "/smuggled" (Z-54)

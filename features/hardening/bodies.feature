@hardening
Feature: Bodies of every kind
  Chunked ones, ones that are asked for, empty ones, and responds that have none. Each is right at the first cell that gets
  the request and at the last; what a router keeps of them is bounded.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Rule: On the way up

    @req:Z-21
    Scenario Outline: in chunks
      When visitor sends <method> "/acme/things" with <bytes> random bytes in chunks
      Then the cell received the body whole (Z-21)
      And every copy of the request carried the same method, target and body (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

      Examples:
        | bytes   | method |
        | 0       | POST   |
        | 1500000 | POST   |

    @req:Z-21
    Scenario: in chunks, to a cell that is known
      Given visitor visited "/acme/before"
      When visitor sends POST "/acme/things" with 70000 random bytes in chunks
      Then the cell received the body whole (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

    @req:Z-21
    Scenario Outline: waiting to be asked for it
      When visitor sends POST "/acme/things" with <bytes> random bytes, waiting to be asked for them
      Then the cell received the body whole (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

      Examples:
        | bytes  |
        | 300000 |

    @req:Z-21
    Scenario: waiting to be asked for it, by a cell that is known
      Given visitor visited "/acme/before"
      When visitor sends PUT "/acme/things" with 70000 random bytes, waiting to be asked for them
      Then the cell received the body whole (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

    # Chunk extensions may be ignored, trailers dropped.
    @req:Z-21
    Scenario: chunks with all that they may have
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Transfer-Encoding: chunked
        Trailer: X-Sum
        Connection: close

        5;name=value;flag
        hello
        00A
        0123456789
        0
        X-Sum: 15

        """
      Then the responses came in the order of the requests (Z-21)

    @req:Z-21
    Scenario: a coding in capitals
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        transfer-encoding: Chunked

        5
        hello
        0

        GET /acme/more HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close

        """
      Then the responses came in the order of the requests (Z-21)

  @buffering @learning
  Rule: On the way down

    @req:Z-21
    Scenario Outline: responses without a body
      Given cell_us1 responds to "/acme/things" with:
        """
        <status>
        ETag: "5d41402a"

        """
      When visitor sends <method> "/acme/things"
      And visitor visits "/acme/more"
      And visitor sends <method> "/acme/things"
      Then every response reached its user as a cell gave it (Z-21)
      And visitor gets status <status> (Z-21)

      Examples:
        | case         | status | method |
        | 204          | 204    | POST   |
        | 304          | 304    | GET    |
        | HEAD         | 200    | HEAD   |
        | HEAD and 404 | 404    | HEAD   |

    # The length tells of the body that there would be.
    @req:Z-21
    Scenario Outline: a length and no body
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 <status>
        ETag: "5d41402a"
        Content-Length: 4000

        """
      When visitor sends <method> "/acme/things"
      Then visitor gets status <code> (Z-21)

      Examples:
        | case | status           | code | method |
        | 304  | 304 Not Modified | 304  | GET    |
        | HEAD | 200 OK           | 200  | HEAD   |

    @req:Z-21
    Scenario: one response after another on one connection
      When visitor sends the bytes:
        """
        HEAD /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}

        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}

        HEAD /acme/more HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close

        """
      Then the responses came in the order of the requests (Z-21)

    @req:Z-21
    Scenario Outline: many bytes
      Given cell_us1 responds to "/acme/big" with <body>
      When visitor visits "/acme/big"
      Then visitor gets the response of cell_us1 (Z-21)

      Examples:
        | case        | body                    |
        | chunks      | 3000000 bytes in chunks |
        | no chunk    | 0 bytes in chunks       |
        | by a length | 3000000 bytes           |

    @req:Z-21
    Scenario: chunks with all that they may have, from a cell
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Trailer: X-Sum
        Transfer-Encoding: chunked

        5;name=value
        hello
        000004
         you
        0
        X-Sum: 9

        """
      When visitor visits "/acme/things"
      Then visitor gets status 200 (Z-21)
      And visitor sees the text "hello you" (Z-21)

    @req:Z-21
    Scenario: a body that ends with the connection
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain

        hello until the end\
        """
      When visitor visits "/acme/things"
      Then visitor gets status 200 (Z-21)
      And visitor sees the text "hello until the end" (Z-21)

    @req:Z-21
    Scenario: an interim response comes first
      Given cell_us1 sends 103 before its response to "/acme/things"
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-21)

    @capability:early-hints @req:Z-21
    Scenario: an interim response is passed on
      Given cell_us1 sends 103 before its response to "/acme/things"
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close

        """
      Then visitor got "103" before the response (Z-21)
      And visitor gets status 200 (Z-21)

  @buffering
  Rule: A bounce is framed in its own way

    @req:Z-21
    Scenario Outline: the bounce
      Given cell_eu0 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 302 Found
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        <framing>

        <body>
        """
      And cell_eu1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 302 Found
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        <framing>

        <body>
        """
      When visitor sends <method> "/acme/things" with 3000 random bytes
      Then visitor gets the response of cell_us1 (Z-21)
      And the cell received the body whole (Z-21)

      Examples:
        | form                      | method | framing                    | body                      |
        | chunks                    | POST   | Transfer-Encoding: chunked | 5\\r\\nmoved\\r\\n0\\r\\n |
        | the end of the connection | POST   | Connection: close          | moved                     |

  Rule: What is kept is bounded

    @buffering @req:Z-20
    Scenario Outline: up to the limit
      Given at most 65536 bytes are buffered
      When visitor sends POST "/acme/things" with <body>
      Then the cell received the body whole (Z-20)
      And every copy of the request carried the same method, target and body (Z-20)
      And visitor gets the response of cell_us1 (Z-20)

      Examples:
        | case                | body                         |
        | the limit           | 65536 random bytes           |
        | the limit in chunks | 65536 random bytes in chunks |

    @buffering @req:Z-20 @req:Z-61
    Scenario Outline: beyond the limit, nothing known
      Given at most 65536 bytes are buffered
      When visitor sends POST "/acme/things" with <body>
      Then the router refused the bytes (Z-20)
      And nothing of the bytes reached a cell (Z-20)
      And no cell was given a part of a body as the whole (Z-61)

      Examples:
        | case      | body                                              |
        | one above | 65537 random bytes                                |
        | in chunks | 65537 random bytes in chunks                      |
        | asked for | 200000 random bytes, waiting to be asked for them |

    # An entry names the cell, so it may be streamed; otherwise 413 or a reset.
    @buffering @req:Z-20 @req:Z-61
    Scenario Outline: beyond the limit, to a cell that is known
      Given at most 65536 bytes are buffered
      And visitor visited "/acme/before"
      When visitor sends POST "/acme/things" with <body>
      And visitor visits "/acme/after"
      Then visitor gets the response of cell_us1 (Z-20)
      And no cell was given a part of a body as the whole (Z-61)

      Examples:
        | case      | body                          |
        | one above | 65537 random bytes            |
        | in chunks | 200000 random bytes in chunks |

    @learning @req:Z-20 @req:Z-61
    Scenario Outline: learning keeps no body
      Given at most 65536 bytes are buffered
      When visitor sends POST "/acme/things" with <body>
      Then the cell received the body whole (Z-20)
      And visitor gets the response of cell_us1 (Z-20)
      And no cell was given a part of a body as the whole (Z-61)

      Examples:
        | case      | body                                              |
        | in chunks | 200000 random bytes in chunks                     |
        | asked for | 200000 random bytes, waiting to be asked for them |

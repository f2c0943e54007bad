@hardening
Feature: Request and response bodies of every form
  Chunked bodies, bodies sent after 100 Continue, empty bodies, and responses without one. Each
  arrives intact at the first cell that receives the request and at the last. The router buffers a
  bounded amount.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Rule: Request bodies

    Scenario Outline: a chunked request body
      When visitor sends POST "/acme/things" with <bytes> random bytes in chunks
      Then the cell received the complete body (Z-21)
      And every copy of the request carried the same method, target and body (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

      Examples:
        | case   | bytes   |
        | empty  | 0       |
        | 1.5 MB | 1500000 |

    Scenario: a chunked request body on a warm cache
      Given visitor visited "/acme/before"
      When visitor sends POST "/acme/things" with 70000 random bytes in chunks
      Then the cell received the complete body (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

    @late
    Scenario: a request body sent after 100 Continue
      These users wait for 100 or for the response, whatever it takes (RFC 9110 10.1.1).
      When visitor sends POST "/acme/things" with 300000 random bytes after 100 Continue
      Then the cell received the complete body (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

    Scenario: a request body sent after 100 Continue on a warm cache
      Given visitor visited "/acme/before"
      When visitor sends PUT "/acme/things" with 70000 random bytes after 100 Continue
      Then the cell received the complete body (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

    @late
    Scenario: three request bodies are sent after 100 Continue one after the other
      A router that asks for a body once may never do so again.
      Given visitor visited "/acme/before"
      When visitor sends PUT "/acme/things" with 1600 random bytes after 100 Continue
      And visitor sends PUT "/acme/things" with 1700 random bytes after 100 Continue
      And visitor sends PUT "/acme/things" with 1800 random bytes after 100 Continue
      Then the cell received the complete body (Z-21)
      And every user got a cell's response unchanged (Z-21)

    Scenario Outline: an expectation other than 100-continue reaches no cell
      Router and cell may not agree on what the user waits for.
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        <fields>
        Content-Length: 5

        hello\
        """
      Then visitor gets status 200, 400, 417 (Z-67)
      And no cell received an unknown expectation (Z-67)

      Examples:
        | case           | fields                                   |
        | another        | Expect: 200-ok                           |
        | with a member  | Expect: 100-continue, 200-ok             |
        | behind one     | Expect: 200-ok, 100-continue             |
        | two lines      | Expect: 100-continue\\r\\nExpect: 200-ok |
        | lines reversed | Expect: 200-ok\\r\\nExpect: 100-continue |
        | parameter      | Expect: 100-continue;q=1                 |
        | value          | Expect: 100-continue=1                   |
        | quotes         | Expect: "100-continue"                   |

    Scenario: a request with an empty body says so at the cell
      Servers exist that take a POST without a length for a fault (411).
      Given visitor visited "/acme/before"
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        Content-Length: 0
        Connection: close

        """
      Then the exchange was (Z-69)
        """
        user->>router_eu: POST /acme/things
        opt a router that learns for each method
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/acme/things
          any_eu_cell-->>router_eu: 200
        end
        alt
          router_eu->>cell_us1: POST /acme/things Content-Length=0
        else
          router_eu->>cell_us1: POST /acme/things Transfer-Encoding=chunked
        end
        cell_us1-->>user: 200
        """

    Scenario Outline: a request without content has no coding at the cell
      Servers exist that refuse a DELETE with chunks, also where these are empty.
      When visitor sends raw bytes:
        """
        <method> /acme/things HTTP/1.1
        {host and id}
        Connection: close

        """
      Then no cell received the field "Transfer-Encoding" (Z-69)
      And visitor gets status 200 (Z-21)

      Examples:
        | method  |
        | DELETE  |
        | OPTIONS |

    Scenario: a chunked request body with chunk extensions and trailers
      A router may ignore chunk extensions and drop trailers.
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
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
      And no cell received the field "X-Sum" (Z-101)
      And no cell received the field "User-Agent" (Z-106)

    Scenario: Transfer-Encoding with its value in capitals
      When visitor sends raw bytes:
        """
        POST /acme/things HTTP/1.1
        {host and id}
        transfer-encoding: Chunked

        5
        hello
        0

        GET /acme/more HTTP/1.1
        {host and id}
        Connection: close

        """
      Then the responses came in the order of the requests (Z-21)

    Scenario Outline: the content of a request of any method is not lost
      A router may refuse content where the method gives it no meaning (RFC 9110 9.3).
      When visitor sends <method> "/acme/things" with 700 random bytes
      Then no cell took a truncated body for complete (Z-61)

      Examples:
        | method   |
        | GET      |
        | DELETE   |
        | OPTIONS  |
        | LOCK     |
        | UNLOCK   |
        | PROPFIND |

    Scenario Outline: a request in small pieces arrives whole
      When visitor sends raw bytes:
        """
        <pieces>\
        """
      Then the cell received the complete body (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

      Examples:
        | cut                 | pieces                                                                                                                                                |
        | in the request line | POST /ac{60 ms}me/things HTTP/1.1\\r\\n{host and id}\\r\\nContent-Length: 5\\r\\n\\r\\nhello                                                          |
        | in a field          | POST /acme/things HTTP/1.1\\r\\n{host and id}\\r\\nContent-{60 ms}Length: 5\\r\\n\\r\\nhello                                                          |
        | in a line's end     | POST /acme/things HTTP/1.1\\r{60 ms}\\n{host and id}\\r\\nContent-Length: 5\\r\\n\\r{60 ms}\\nhello                                                   |
        | before the body     | POST /acme/things HTTP/1.1\\r\\n{host and id}\\r\\nContent-Length: 5\\r\\n\\r\\n{60 ms}hello                                                          |
        | in the chunks       | POST /acme/things HTTP/1.1\\r\\n{host and id}\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0{60 ms}5\\r{60 ms}\\nhel{60 ms}lo\\r\\n0\\r\\n\\r{60 ms}\\n |

  @buffering @learning
  Rule: Response bodies

    Scenario Outline: a response without a body
      Given cell_us1 responds to "/acme/things" with the status <status> and 'ETag: "5d41402a"'
      When visitor sends <method> "/acme/things"
      And visitor visits "/acme/more"
      And visitor sends <method> "/acme/things"
      Then every user got a cell's response unchanged (Z-21)
      And visitor gets status <status> (Z-21)

      Examples:
        | case         | status | method |
        | status 204   | 204    | POST   |
        | status 304   | 304    | GET    |
        | HEAD         | 200    | HEAD   |
        | HEAD and 404 | 404    | HEAD   |

    Scenario Outline: a response with Content-Length but no body
      Content-Length gives the length of the body that a GET would return, or is left out (RFC 9110
      8.6).
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 <status>
        ETag: "5d41402a"
        Content-Length: 4000

        """
      When visitor sends <method> "/acme/things"
      Then visitor gets status <code> (Z-21)
      And visitor gets the response of cell_us1 (Z-21)

      Examples:
        | case       | status           | code | method |
        | status 304 | 304 Not Modified | 304  | GET    |
        | HEAD       | 200 OK           | 200  | HEAD   |

    Scenario Outline: a length of more than <bits> bits on a response to HEAD arrives
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: <length>

        """
      When visitor sends HEAD "/acme/things"
      Then visitor gets the response of cell_us1 (Z-21)

      Examples:
        | bits | length     |
        | 31   | 2147483653 |
        | 32   | 4294967301 |

    Scenario: a 204 with Content-Length reaches the user without it
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 204 No Content
        ETag: "5d41402a"
        Content-Length: 5

        """
      When visitor sends POST "/acme/things"
      Then visitor gets status 204, 502 (Z-78)
      And no 1xx or 204 to a user has a length (Z-78)

    @late
    Scenario: HEAD and GET responses on one connection
      When visitor sends raw bytes:
        """
        HEAD /acme/things HTTP/1.1
        {host and id}

        GET /acme/things HTTP/1.1
        {host and id}

        HEAD /acme/more HTTP/1.1
        {host and id}
        Connection: close

        """
      Then the responses came in the order of the requests (Z-21)

    Scenario Outline: a response body of any length
      Given cell_us1 responds to "/acme/big" with <body>
      When visitor visits "/acme/big"
      Then visitor gets the response of cell_us1 (Z-21)

      Examples:
        | case                     | body                    |
        | 3 MB chunked             | 3000000 bytes in chunks |
        | empty chunked            | 0 bytes in chunks       |
        | 3 MB with Content-Length | 3000000 bytes           |

    @late
    Scenario: a chunked response body with chunk extensions and trailers
      Given cell_us1 responds to "/acme/things" with raw bytes:
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

    Scenario: a response body that ends when the connection closes
      Given cell_us1 responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain

        hello until the end\
        """
      When visitor visits "/acme/things"
      Then visitor gets status 200 (Z-21)
      And visitor sees the text "hello until the end" (Z-21)

    Scenario: a 103 response before the final response
      Given cell_us1 sends 103 before its response to "/acme/things"
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-21)

    @capability:early-hints
    Scenario: a 103 response is passed on to the user
      Given cell_us1 sends 103 before its response to "/acme/things"
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: close

        """
      Then visitor got the interim response 103 (Z-21)
      And visitor gets status 200 (Z-21)

  @buffering
  Rule: Internal redirects

    Scenario Outline: an internal redirect with a framed body
      Given every EU cell responds to "/acme/things" with raw bytes:
        """
        HTTP/1.1 302 Found
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        <framing>

        <body>
        """
      When visitor sends POST "/acme/things" with 3000 random bytes
      Then visitor gets the response of cell_us1 (Z-21)
      And the cell received the complete body (Z-21)

      Examples:
        | form           | framing                    | body                      |
        | chunked        | Transfer-Encoding: chunked | 5\\r\\nmoved\\r\\n0\\r\\n |
        | ended by close | Connection: close          | moved                     |

  Rule: Buffer limit

    @buffering
    Scenario Outline: a body up to the buffer limit reaches the owner
      Given the body buffer limit is 65536 bytes
      When visitor sends POST "/acme/things" with <body>
      Then the cell received the complete body (Z-20)
      And every copy of the request carried the same method, target and body (Z-20)
      And visitor gets the response of cell_us1 (Z-20)

      Examples:
        | case           | body                         |
        | Content-Length | 65536 random bytes           |
        | chunked        | 65536 random bytes in chunks |

    @buffering
    Scenario Outline: a body beyond the buffer limit is refused on a cold cache
      Given the body buffer limit is 65536 bytes
      When visitor sends POST "/acme/things" with <body>
      Then the router refused the raw request (Z-20)
      And no part of the raw request reached a cell (Z-20)
      And no cell took a truncated body for complete (Z-61)

      Examples:
        | case           | body                                   |
        | one byte above | 65537 random bytes                     |
        | in chunks      | 65537 random bytes in chunks           |
        | 100 Continue   | 200000 random bytes after 100 Continue |

    @buffering
    Scenario Outline: a body beyond the buffer limit is streamed on a warm cache
      The cache names the cell, so the router may stream the body. Otherwise it returns 413 or
      resets.
      Given the body buffer limit is 65536 bytes
      And visitor visited "/acme/before"
      When visitor sends POST "/acme/things" with <body>
      And visitor visits "/acme/after"
      Then visitor gets the response of cell_us1 (Z-20)
      And no cell took a truncated body for complete (Z-61)

      Examples:
        | case           | body                          |
        | one byte above | 65537 random bytes            |
        | in chunks      | 200000 random bytes in chunks |

    @learning
    Scenario Outline: a body beyond the buffer limit is streamed
      Given the body buffer limit is 65536 bytes
      When visitor sends POST "/acme/things" with <body>
      Then the cell received the complete body (Z-20)
      And visitor gets the response of cell_us1 (Z-20)
      And no cell took a truncated body for complete (Z-61)

      Examples:
        | case         | body                                   |
        | in chunks    | 200000 random bytes in chunks          |
        | 100 Continue | 200000 random bytes after 100 Continue |

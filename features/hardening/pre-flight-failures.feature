@hardening @learning
Feature: Pre-flights that fail
  A router that gets no response to its question may ask another cell; otherwise it refuses, and soon. Nothing is remembered
  of it. Here cell_us1 owns the place, so that no asked cell does.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: One cell fails, its neighbour would not

    @req:Z-14 @req:Z-17
    Scenario Outline: the first question fails
      Given every cell <fails> a pre-flight about "/acme/things", once
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then visitor gets a cell's response, or a refusal (Z-14)
      And nothing was sent again (Z-17)

      Examples:
        | fails                                      |
        | closes the connection instead of responding to |
        | resets the connection instead of responding to |

    @req:Z-14
    Scenario: the first question meets silence
      Given a response may take 500 ms to begin
      And every cell never responds to a pre-flight about "/acme/things", once
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-14)
      And visitor had the response within 6000 ms (Z-14)

    @req:Z-14
    Scenario Outline: one cell's response makes no sense
      Given cell_eu1 responds to a pre-flight about "/acme/things" with:
        """
        <status>
        Content-Type: application/json

        <response>
        """
      When visitor visits "/acme/things", asking cell_eu1 first
      Then visitor gets a cell's response, or a refusal (Z-14)

      Examples:
        | fault      | status | response                                                      |
        | an error   | 500    |                                                             |
        | no JSON    | 200    | <h1>Sign in</h1>                                            |
        | no cell    | 200    | {"path": "/acme", "source": "routable"}                     |
        | a stranger | 200    | {"path": "/acme", "cell": "cell_us7", "source": "routable"} |

  Rule: No cell responds

    @req:Z-14 @req:Z-35 @req:Z-58
    Scenario Outline: every question fails
      Given every cell <fails> a pre-flight about "/acme/things"
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And visitor had the response within 4000 ms (Z-14)
      And no cell received a request for "/acme/things" (Z-14)

      Examples:
        | fails                                      |
        | closes the connection instead of responding to |

    @req:Z-14 @req:Z-35
    Scenario: silence everywhere
      Given a response may take 500 ms to begin
      And every cell never responds to a pre-flight about "/acme/things"
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And visitor had the response within 8000 ms (Z-14)
      And no cell received a request for "/acme/things" (Z-14)

    @req:Z-14 @req:Z-35 @req:Z-58
    Scenario Outline: every response is garbage
      Given every cell responds to a pre-flight about "/acme/things" with the bytes:
        """
        <bytes>\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And no cell received a request for "/acme/things" (Z-14)

      Examples:
        | fault        | bytes                                                                                                                                 |
        | no HTTP      | {"path": "/acme", "cell": "cell_us1", "source": "routable"}                                                                           |
        | two lengths  | HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\nContent-Length: 59\\r\\n\\r\\n{"path": "/acme", "cell": "cell_us1", "source": "routable"} |
        | cut off      | HTTP/1.1 200 OK\\r\\nContent-Length: 90\\r\\n\\r\\n{"path": "/acme", "cell": "cell_us1", "sou                                         |
        | half a chunk | HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3b\\r\\n{"path": "/acme", "cell": "cell_us1", "sou                         |
        | half a head  | HTTP/1.1 200 OK\\r\\nContent-Le                                                                                                       |

    # What matters can be read, and still the end is missing (RFC 9112 8): that is no response.
    @req:Z-14
    Scenario Outline: every response breaks off late
      Given every cell responds to a pre-flight about "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: application/json
        <framing>

        <begins>{"path": "/acme", "cell": "cell_us1", "source": "routable"}
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-14)
      And no cell received a request for "/acme/things" (Z-14)

      Examples:
        | missing        | framing                    | begins    |
        | some bytes     | Content-Length: 90         |           |
        | the last chunk | Transfer-Encoding: chunked | 3b\\r\\n |

    @req:Z-14
    Scenario: a redirect to another place is no response
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        302
        Location: /gitlab-org/gitlab

        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-14)
      And no cell received a request for "/gitlab-org/gitlab" (Z-14)

  Rule: What is merely unusual

    @req:Z-14
    Scenario: a response in pieces
      Given every cell sends the head of its response to a pre-flight about "/acme/things" in pieces, 60 ms apart
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-14)

    @req:Z-14
    Scenario: a response that takes a while
      Given every cell responds to a pre-flight about "/acme/things" after 300 ms
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then visitor gets the response of cell_us1 (Z-14)
      And there was one pre-flight (Z-14)

    @req:Z-14
    Scenario Outline: a response with very much in it
      Given every cell responds to a pre-flight about "/acme/things" with a body of <bytes> bytes
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-14)
      And visitor had the response within 8000 ms (Z-14)

      Examples:
        | bytes   |
        | 65536   |
        | 2097152 |

  Rule: Nothing is remembered

    @req:Z-15
    Scenario Outline: the next question gets its response
      Given every cell <fails> a pre-flight about "/acme/things"
      When visitor visits "/acme/things"
      And the faults end
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-15)
      And the last exchange was (Z-15)
        """
        user->>router_eu: GET /acme/things
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/acme/things
        any_eu_cell-->>router_eu: 200 {path: "/acme", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        """

      Examples:
        | fails                                      |
        | closes the connection instead of responding to |

    @req:Z-15
    Scenario Outline: nothing is remembered of a learn response with very much in it
      Given every cell responds to a pre-flight about "/acme/things" with a body of <bytes> bytes
      When visitor visits "/acme/things"
      And the faults end
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-15)

      Examples:
        | bytes   |
        | 65536   |
        | 2097152 |

    @req:Z-14
    Scenario Outline: a pre-flight that receives an error teaches nothing
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        <status>
        Content-Type: application/json

        <response>
        """
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then the exchange was (Z-14)
        """
        user->>router_eu: GET /acme/more
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/acme/more
        any_eu_cell-->>router_eu: 200 {path: "/acme", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: GET /acme/more
        cell_us1-->>user: 200
        """

      Examples:
        | fault    | status | response                                                      |
        | an error | 500    | {"path": "/acme", "cell": "cell_us0", "source": "routable"} |

    @req:Z-15
    Scenario: nor of silence
      Given a response may take 800 ms to begin
      And every cell never responds to a pre-flight about "/acme/things"
      When visitor visits "/acme/things"
      And the faults end
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-15)

  Rule: A pre-flight asks for nobody

    @req:Z-11
    Scenario: credentials stay out of it
      Given anna is signed in
      When anna sends:
        """
        GET /acme/things
        Authorization: Basic YW5uYTpzZWNyZXQ=
        Private-Token: glpat-0123456789
        Job-Token: 64_abcdef

        """
      Then every pre-flight came without credentials (Z-11)
      And every copy of the request carried the user's fields (Z-11)

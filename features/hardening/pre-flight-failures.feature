@hardening @learning
Feature: Failed pre-flights
  A router whose pre-flight fails may ask another cell; otherwise it refuses the request soon. It
  caches nothing. Here cell_us1 owns the path, so that no asked cell is the owner.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: One cell fails

    @req:Z-14 @req:LN-10
    Scenario Outline: a pre-flight that fails once leads to a response or a refusal
      Given every cell <fails> a pre-flight about "/acme/things", once
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then visitor gets a cell's response, or a refusal (Z-14)
      And the router retried no request (LN-10)

      Examples:
        | case   | fails                                          |
        | closed | closes the connection instead of responding to |
        | reset  | resets the connection instead of responding to |

    @req:Z-14 @late
    Scenario: a pre-flight that times out once leads to a response or a refusal in time
      Given the response timeout is 500 ms
      And every cell never responds to a pre-flight about "/acme/things", once
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-14)
      And the response to visitor took at most 6000 ms (Z-14)

    @req:Z-14
    Scenario Outline: an invalid learn response is not passed on
      Given cell_eu1 responds to a pre-flight about "/acme/things" with:
        """
        <status>
        Content-Type: application/json

        <response>
        """
      When visitor visits "/acme/things", asking cell_eu1 first
      Then visitor gets a cell's response, or a refusal (Z-14)

      Examples:
        | fault        | status | response                                                    |
        | status 500   | 500    |                                                             |
        | not JSON     | 200    | <h1>Sign in</h1>                                            |
        | no cell      | 200    | {"path": "/acme", "source": "routable"}                     |
        | unknown cell | 200    | {"path": "/acme", "cell": "cell_us7", "source": "routable"} |

  Rule: No cell responds

    @req:Z-14 @req:Z-35 @req:Z-58
    Scenario: a pre-flight that every cell fails causes a refusal
      Given every cell closes the connection instead of responding to a pre-flight about "/acme/things"
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And the response to visitor took at most 4000 ms (Z-14)
      And no cell received a request for "/acme/things" (Z-14)

    @req:Z-14 @req:Z-35
    Scenario: a pre-flight that times out at every cell causes a refusal
      Given the response timeout is 500 ms
      And every cell never responds to a pre-flight about "/acme/things"
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the response to visitor took at most 8000 ms (Z-14)
      And no cell received a request for "/acme/things" (Z-14)

    @req:Z-14 @req:Z-35
    Scenario: a pre-flight that times out during another request causes a refusal
      Given the response timeout is 500 ms
      And the namespace "/tools" on cell_eu1
      And cell_eu1 never responds to "/tools/slow"
      And every cell never responds to a pre-flight about "/acme/things"
      When gabe starts to visit "/tools/slow"
      And visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the response to visitor took at most 8000 ms (Z-14)

    @req:Z-14 @req:Z-35 @req:Z-58
    Scenario Outline: a malformed learn response causes a refusal
      Given every cell responds to a pre-flight about "/acme/things" with raw bytes:
        """
        <bytes>\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And no cell received a request for "/acme/things" (Z-14)

      Examples:
        | fault                        | bytes                                                                                                                                 |
        | not HTTP                     | {"path": "/acme", "cell": "cell_us1", "source": "routable"}                                                                           |
        | two values of Content-Length | HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\nContent-Length: 59\\r\\n\\r\\n{"path": "/acme", "cell": "cell_us1", "source": "routable"} |
        | truncated body               | HTTP/1.1 200 OK\\r\\nContent-Length: 90\\r\\n\\r\\n{"path": "/acme", "cell": "cell_us1", "sou                                         |
        | truncated chunk              | HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3b\\r\\n{"path": "/acme", "cell": "cell_us1", "sou                         |
        | truncated headers            | HTTP/1.1 200 OK\\r\\nContent-Le                                                                                                       |

    @req:Z-14
    Scenario Outline: a truncated learn response causes a refusal
      The JSON is complete but the message is not, so the response is incomplete (RFC 9112 8).
      Given every cell responds to a pre-flight about "/acme/things" with raw bytes:
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
        | case               | framing                    | begins   |
        | missing bytes      | Content-Length: 90         |          |
        | missing last chunk | Transfer-Encoding: chunked | 3b\\r\\n |

    @req:Z-14
    Scenario: a redirect instead of a learn response is not followed
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        302
        Location: /gitlab-org/gitlab

        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-14)
      And no cell received a request for "/gitlab-org/gitlab" (Z-14)

  Rule: Unusual learn responses

    @req:Z-14 @late
    Scenario: a learn response in small pieces is used
      Given every cell sends the head of its response to a pre-flight about "/acme/things" in pieces, 60 ms apart
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-14)

    @req:Z-14
    Scenario: a learn response after 2000 ms is used
      A pre-flight has the time of any request to a cell; this one takes two thirds of it.
      Given the response timeout is 3000 ms
      And every cell responds to a pre-flight about "/acme/things" after 2000 ms
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then visitor gets the response of cell_us1 (Z-14)

    @req:Z-14
    Scenario: a learn response after 300 ms is used
      Given every cell responds to a pre-flight about "/acme/things" after 300 ms
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then visitor gets the response of cell_us1 (Z-14)
      And there was one pre-flight (Z-14)

    @req:Z-14
    Scenario Outline: an oversized learn response causes no hang
      Given every cell responds to a pre-flight about "/acme/things" with a body of <bytes> bytes
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-14)
      And the response to visitor took at most 8000 ms (Z-14)

      Examples:
        | case   | bytes   |
        | 64 KiB | 65536   |
        | 2 MiB  | 2097152 |

  Rule: Failures are not cached

    @req:Z-15
    Scenario: a pre-flight after a failed one learns the owner
      Given every cell closes the connection instead of responding to a pre-flight about "/acme/things"
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

    @req:Z-15
    Scenario Outline: a pre-flight after an oversized response learns the owner
      Given every cell responds to a pre-flight about "/acme/things" with a body of <bytes> bytes
      When visitor visits "/acme/things"
      And the faults end
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-15)

      Examples:
        | case   | bytes   |
        | 64 KiB | 65536   |
        | 2 MiB  | 2097152 |

    @req:Z-14
    Scenario: a pre-flight with a 500 response teaches nothing
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        500
        Content-Type: application/json

        {"path": "/acme", "cell": "cell_us0", "source": "routable"}
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

    @req:Z-15
    Scenario: a pre-flight without a response teaches nothing
      Given the response timeout is 800 ms
      And every cell never responds to a pre-flight about "/acme/things"
      When visitor visits "/acme/things"
      And the faults end
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-15)

  Rule: Credentials stay out of pre-flights

    @req:Z-11
    Scenario: a pre-flight carries no credentials of the user
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

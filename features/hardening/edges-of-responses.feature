@hardening @buffering @learning
@doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
Feature: Responses at their edges
  A response reaches the user as its cell gave it, also where a router does not know its status, few
  expect its fields, or little of it is there.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a response with the status <status> arrives
    Given cell_us1 responds to "/acme/things" with:
      """
      <status>
      Content-Type: text/plain
      Retry-After: 120
      X-Field: of <status>

      <body>
      """
    When visitor sends <method> "/acme/things"
    Then visitor gets the response of cell_us1 (RT-08)

    Examples:
      | status | method | body |
      | 205    | POST   |      |
      | 299    | GET    | a    |
      | 300    | GET    | b    |
      | 419    | POST   | e    |
      | 450    | GET    | f    |
      | 520    | GET    | h    |
      | 599    | POST   | i    |

  Scenario Outline: a response with <edge> arrives
    Interim responses may come ahead of any response (RFC 9110 15.2), and a reason may be empty (RFC
    9112 4). A name may have fifteen signs (RFC 9110 5.6.2).
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.<head>

      hello\
      """
    When visitor sends <method> "/acme/things"
    Then visitor gets the response of cell_us1 (<row>)
    And no response to a user carries the field "Link" (Z-100)

    Examples:
      | edge                  | row   | method | head                                                                                                   |
      | no reason             | RT-08 | GET    | 1 200\\x20\\r\\nContent-Length: 5                                                                      |
      | no reason for a 450   | RT-08 | GET    | 1 450\\x20\\r\\nContent-Length: 5                                                                      |
      | a reason of letters   | RT-08 | GET    | 1 401 Non autoris\\xe9\\r\\nContent-Length: 5                                                          |
      | zeros in its length   | Z-21  | GET    | 1 200 OK\\r\\nContent-Length: 0000000005                                                               |
      | the version 1.0       | Z-109 | GET    | 0 200 OK\\r\\nContent-Length: 5                                                                        |
      | 1.0, no length        | Z-109 | GET    | 0 404 Not Found\\r\\nX-Field: 1                                                                        |
      | 1.0, kept alive       | Z-109 | GET    | 0 200 OK\\r\\nConnection: keep-alive\\r\\nContent-Length: 5                                            |
      | dots and underscores  | Z-46  | GET    | 1 200 OK\\r\\nX.Dotted.Name: 1\\r\\nUPLOAD_TYPE: 2\\r\\nContent-Length: 5                              |
      | signs in a name       | Z-46  | GET    | 1 200 OK\\r\\nX!#$%&'*+^`\|~: 1\\r\\nContent-Length: 5                                                 |
      | an empty value        | Z-46  | GET    | 1 200 OK\\r\\nX-Empty:\\r\\nContent-Length: 5                                                          |
      | a value in UTF-8      | Z-102 | GET    | 1 200 OK\\r\\nContent-Disposition: inline; filename="\\xe4\\xb8\\xad"\\r\\nContent-Length: 5           |
      | a value in Latin-1    | Z-102 | GET    | 1 200 OK\\r\\nX-City: S\\xe3o Paulo\\r\\nContent-Length: 5                                             |
      | a 100                 | Z-100 | GET    | 1 100 Continue\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 5                                       |
      | a 100 twice           | Z-100 | PUT    | 1 100 Go on\\r\\n\\r\\nHTTP/1.1 100 Go on\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 5            |
      | a 102, then a 103     | Z-100 | POST   | 1 102 Busy\\r\\n\\r\\nHTTP/1.1 103 Hints\\r\\nLink: </a>\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 5 |
      | a 103 with fields     | Z-100 | GET    | 1 103 Hints\\r\\nSet-Cookie: early=1\\r\\nVary: A\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 5    |
      | a 104                 | Z-100 | PUT    | 1 104 Resumption\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 5                                     |
      | a 199                 | Z-100 | GET    | 1 199 Last\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 5                                           |

  Scenario Outline: a response without content that says <said> arrives
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 <status>
      <line>

      """
    When visitor sends <method> "/acme/things"
    Then visitor gets status <codes> (Z-21)

    Examples:
      | said                       | method | status           | codes    | line                       |
      | a length of 5 GiB, to HEAD | HEAD   | 200 OK           | 200      | Content-Length: 5368709120 |
      | it has chunks, to HEAD     | HEAD   | 200 OK           | 200      | Transfer-Encoding: chunked |
      | a length of 5 GiB, 304     | GET    | 304 Not Modified | 304      | Content-Length: 5368709120 |
      | it has chunks, 304         | GET    | 304 Not Modified | 304      | Transfer-Encoding: chunked |
      | it has chunks, 204         | POST   | 204 No Content   | 204, 502 | Transfer-Encoding: chunked |

  Scenario Outline: a response with <number> fields arrives or is refused
    Given cell_us1 responds to "/acme/things" with:
      """
      200
      {<number> fields}
      """
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      Connection: close

      """
    Then visitor gets a cell's response, or a refusal (Z-48)

    Examples:
      | number |
      | 140    |
      | 1100   |

  Scenario Outline: no singleton field of a response stands twice, <case>
    Given cell_us1 responds to "/acme/things" with:
      """
      <status>
      Age: 7
      Content-Type: text/plain
      Date: Wed, 21 Oct 2015 07:28:00 GMT
      ETag: "5d41402a"
      Server: cell

      a page
      """
    When visitor sends <method> "/acme/things"
    Then the response repeats no singleton field (Z-107)

    Examples:
      | case       | status | method |
      | to a GET   | 200    | GET    |
      | to a HEAD  | 200    | HEAD   |
      | status 304 | 304    | GET    |

  Scenario Outline: a trailer of a response is no field for the user, <name>
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Trailer: X-Sum, <name>
      Transfer-Encoding: chunked

      5
      hello
      0
      X-Sum: 5
      <name>: late

      """
    When visitor visits "/acme/things"
    Then no response to a user carries the field "<name>" (Z-101)
    And visitor sees the text "hello" (Z-21)

    Examples:
      | name       |
      | Set-Cookie |
      | Location   |
      | X-Field    |

  Scenario: the refusal of a HEAD has no content
    The next response on the connection would begin with it.
    Given cell_us1 closes the connection instead of responding to "/acme/broken"
    When visitor sends raw bytes:
      """
      HEAD /acme/broken HTTP/1.1
      {host and id}

      GET /acme/things HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the user got a response to every request that reached a cell (Z-21)
    And all that came on the connection is HTTP (Z-21)

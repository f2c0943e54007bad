@hardening @buffering @learning
Feature: Lengths and contents where few expect them
  A length says something where there is no content, and content may stand where few send it. A
  router may refuse the content of a GET (RFC 9110 9.3.1); it does not lose it on the way.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario Outline: a <method> that says that it has no content is served
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      Content-Length: 0
      Connection: close

      """
    Then visitor gets the response of cell_us1 (RT-08)

    Examples:
      | method  | known |
      | GET     | /     |
      | HEAD    | /acme |
      | DELETE  | /acme |
      | OPTIONS | /     |

  Scenario Outline: the content of a <method> is not lost, <framed>
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      Content-Type: application/json
      <framing>

      <content>\
      """
    Then no cell took a truncated body for complete (Z-61)
    And the user got a response to every request that reached a cell (Z-54)

    Examples:
      | method  | framed    | framing                    | content                      |
      | GET     | by length | Content-Length: 5          | hello                        |
      | GET     | chunked   | Transfer-Encoding: chunked | 5\\r\\nhello\\r\\n0\\r\\n\\r\\n |
      | HEAD    | by length | Content-Length: 5          | hello                        |
      | DELETE  | by length | Content-Length: 5          | hello                        |
      | DELETE  | chunked   | Transfer-Encoding: chunked | 5\\r\\nhello\\r\\n0\\r\\n\\r\\n |
      | OPTIONS | chunked   | Transfer-Encoding: chunked | 5\\r\\nhello\\r\\n0\\r\\n\\r\\n |

  Scenario Outline: a response without content that says <said> arrives
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 <status>
      ETag: "5d41402a"
      <line>

      """
    When visitor sends <method> "/acme/things"
    Then visitor gets status <code> (Z-21)
    And the response to visitor carries the fields: (Z-21)
      """
      ETag: "5d41402a"
      """

    Examples:
      | said                        | method | status           | code | line                       |
      | a length of 5 GiB           | HEAD   | 200 OK           | 200  | Content-Length: 5368709120 |
      | that it would be chunked    | HEAD   | 200 OK           | 200  | Transfer-Encoding: chunked |
      | a length, on a 404          | HEAD   | 404 Not Found    | 404  | Content-Length: 4000       |
      | a length of 5 GiB, on a 304 | GET    | 304 Not Modified | 304  | Content-Length: 5368709120 |
      | that it was chunked, 304    | GET    | 304 Not Modified | 304  | Transfer-Encoding: chunked |

  Scenario: a 204 that says it is chunked has no content for the user
    A server must not send it (RFC 9112 6.1), so a router may refuse it.
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 204 No Content
      Transfer-Encoding: chunked

      0

      """
    When visitor sends POST "/acme/things"
    And anna visits "/acme/more"
    Then anna gets the response of cell_us1 (Z-86)

  Scenario Outline: a response of a cell that <says> arrives
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      <first>
      Content-Type: text/plain
      <line>

      hello\
      """
    When visitor visits "/acme/things"
    Then visitor gets status <code> (Z-21)
    And visitor sees the text "hello" (Z-21)

    Examples:
      | says                           | first                  | code | line                                          |
      | speaks HTTP/1.0                | HTTP/1.0 200 OK        | 200  | Content-Length: 5                             |
      | speaks HTTP/1.0, by close      | HTTP/1.0 200 OK        | 200  | X-Field: 1                                    |
      | speaks HTTP/1.0 of a 404       | HTTP/1.0 404 Not Found | 404  | X-Field: 1                                    |
      | speaks HTTP/1.0 and keeps      | HTTP/1.0 200 OK        | 200  | Connection: keep-alive\\r\\nContent-Length: 5 |
      | pads its length with zeros     | HTTP/1.1 200 OK        | 200  | Content-Length: 0000000005                    |

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

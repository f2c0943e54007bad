@hardening @buffering @learning @capability:http10-clients
Feature: Clients that speak HTTP/1.0
  HTTP/1.0 has neither chunks nor interim responses. The connection closes after the response.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: an HTTP/1.0 request gets an unchunked response
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.0
      {host and id}

      """
    Then visitor gets the response of cell_us1 (Z-44)
    And no response to a user carries the field "Transfer-Encoding" (Z-44)
    And visitor got no interim response (Z-44)

    Examples:
      | cache | known        |
      | cold  | /            |
      | warm  | /acme/before |

  Scenario Outline: an HTTP/1.0 request gets a chunked response of the cell without chunks
    Given cell_us1 responds to "/acme/things" with <bytes> bytes in chunks
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.0
      {host and id}

      """
    Then visitor gets the response of cell_us1 (Z-44)
    And no response to a user carries the field "Transfer-Encoding" (Z-44)

    Examples:
      | case   | bytes  |
      | empty  | 0      |
      | 300 kB | 300000 |

  @late
  Scenario: an HTTP/1.0 request gets no interim response
    Given cell_us1 sends 103 before its response to "/acme/things"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.0
      {host and id}

      """
    Then visitor got no interim response (Z-44)
    And visitor gets status 200 (Z-44)

  Scenario: an HTTP/1.0 request to change the protocol is an ordinary one
    A server ignores such a request (RFC 9110 7.8).
    When visitor sends raw bytes:
      """
      GET /acme/-/cable HTTP/1.0
      {host and id}
      Connection: Upgrade
      Upgrade: websocket
      Sec-WebSocket-Version: 13
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

      """
    Then visitor gets status 400, 426, 501 (Z-44)

  Scenario: an HTTP/1.0 request with a body and Expect gets no 100 Continue
    A server ignores the expectation of an HTTP/1.0 client (RFC 9110 10.1.1).
    When visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.0
      {host and id}
      Content-Length: 5
      Expect: 100-continue

      hello\
      """
    Then visitor got no interim response (Z-44)
    And visitor gets the response of cell_us1 (Z-44)

  Scenario: an HTTP/1.0 request without Host gets 200 or 400
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.0
      X-Conformance-Id: {id}

      """
    Then visitor gets status 200, 400 (Z-44)
    And no response to a user carries the field "Transfer-Encoding" (Z-44)

  Scenario: an HTTP/1.0 user notices a truncated response
    Given cell_us1 resets the connection within the body of its response to "/acme/things"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.0
      {host and id}

      """
    Then no user sees a truncated response as complete (Z-41)

  Scenario: a connection of HTTP/1.0 ends where no field keeps it
    Such a user takes the end of the connection for that of the response (RFC 9112 9.3).
    When visitor sends raw bytes:
      """
      GET /acme/one HTTP/1.0
      {host and id}
      Connection: keep-alive

      {600 ms}GET /acme/two HTTP/1.0
      {host and id}

      """
    Then no connection stays open unsaid (Z-108)

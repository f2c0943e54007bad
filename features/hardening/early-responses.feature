@hardening
Feature: Responses ahead of the end of a request
  A cell may turn an upload down before it has read it. A router watches for that while it sends (RFC
  9112 9.5). These users send the rest all the same, after a pause.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @learning
  Scenario Outline: an early response of a cell that reads on arrives, <case>
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/up" ahead of the body
    And cell_us1 responds to "/acme/up" with the status <status> and "<line>"
    When visitor sends raw bytes:
      """
      POST /acme/up HTTP/1.1
      {host and id}
      <framing>{70000 bytes}{300 ms}{70000 bytes}<end>\
      """
    And anna sends PUT "/acme/more" with 3000 random bytes
    Then visitor gets the response of cell_us1 (Z-103)
    And no cell took a truncated body for complete (Z-61)
    And anna gets the response of cell_us1 (Z-61)

    Examples:
      | case            | status | line              | known | framing                                           | end                 |
      | length          | 413    | X-Field: 1        | /acme | Content-Length: 140000\\r\\n\\r\\n                |                     |
      | chunked         | 401    | X-Field: 1        | /     | Transfer-Encoding: chunked\\r\\n\\r\\n222e0\\r\\n | \\r\\n0\\r\\n\\r\\n |
      | length, closing | 413    | Connection: close | /     | Content-Length: 140000\\r\\n\\r\\n                |                     |
      | chunks, closing | 503    | Connection: close | /     | Transfer-Encoding: chunked\\r\\n\\r\\n222e0\\r\\n | \\r\\n0\\r\\n\\r\\n |

  @learning
  Scenario Outline: an early response of a cell that closes arrives, <case>
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/up" ahead of the body
    And cell_us1 responds to "/acme/up" with raw bytes:
      """
      HTTP/1.1 413 Content Too Large
      Content-Type: text/plain
      Connection: close
      Content-Length: 11

      turned down\
      """
    When visitor sends raw bytes:
      """
      POST /acme/up HTTP/1.1
      {host and id}
      <framing>{5 bytes}{300 ms}{139995 bytes}<end>\
      """
    And anna sends PUT "/acme/more" with 3000 random bytes
    Then visitor gets the response of cell_us1 (Z-103)
    And no cell took a truncated body for complete (Z-61)
    And anna gets the response of cell_us1 (Z-61)

    Examples:
      | case          | known | framing                                           | end                 |
      | length        | /     | Content-Length: 140000\\r\\n\\r\\n                |                     |
      | chunked, warm | /acme | Transfer-Encoding: chunked\\r\\n\\r\\n222e0\\r\\n | \\r\\n0\\r\\n\\r\\n |

  @learning
  Scenario Outline: an upload goes on while its response comes, <case>
    Given visitor visited "/acme/before"
    And cell_us1 responds to "/acme/up" ahead of the body
    And cell_us1 sends the body of its response to "/acme/up" in pieces, 200 ms apart
    When visitor sends raw bytes:
      """
      POST /acme/up HTTP/1.1
      {host and id}
      <framing>{7000 bytes}{300 ms}{7000 bytes}<end>\
      """
    Then the cell received the complete body (Z-104)
    And visitor gets the response of cell_us1 (Z-104)

    Examples:
      | case    | framing                                          | end                 |
      | length  | Content-Length: 14000\\r\\n\\r\\n                |                     |
      | chunked | Transfer-Encoding: chunked\\r\\n\\r\\n36b0\\r\\n | \\r\\n0\\r\\n\\r\\n |

  @learning
  Scenario Outline: an upload that was turned down does not block its connection, <case>
    Given cell_us1 responds to "/acme/up" ahead of the body
    When visitor sends raw bytes:
      """
      POST /acme/up HTTP/1.1
      {host and id}
      <framing>{300000 bytes}{300 ms}{700000 bytes}<end>GET /acme/next HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

    Examples:
      | case    | framing                                           | end                 |
      | length  | Content-Length: 1000000\\r\\n\\r\\n               |                     |
      | chunked | Transfer-Encoding: chunked\\r\\n\\r\\nf4240\\r\\n | \\r\\n0\\r\\n\\r\\n |

  @buffering @learning
  Scenario: a user who waits for 100 gets the response that comes in its place
    Given visitor visited "/acme/before"
    And cell_us1 responds to "/acme/up" ahead of the body
    And cell_us1 responds to "/acme/up" with the status 413 and "X-Field: 1"
    When visitor sends POST "/acme/up" with 3000 random bytes after 100 Continue
    And anna visits "/acme/more"
    Then every user got a cell's response unchanged (Z-21)

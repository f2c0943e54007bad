@hardening @buffering @learning
Feature: Half-closed connections
  Some clients half-close the connection as soon as they have sent the request, and still wait for
  the response. On the wire they look like users who have left, whom a router should notice (RFC
  9112 9.5). So it sends the response, or ends the request at the cell as well. Each cell here
  sends its response in pieces, so that it sees a router that goes away.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a user who half-closes after a request gets the response
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/slow" after 200 ms
    And cell_us1 sends the body of its response to "<path>" in pieces, 40 ms apart
    When visitor sends raw bytes, then half-closes:
      """
      GET <path> HTTP/1.1
      {host and id}
      Connection: close

      """
    And anna visits "<path>"
    Then visitor gets the response of cell_us1, or the request ends at the cell (Z-45)

    Examples:
      | case          | known        | path        |
      | cold          | /            | /acme/quick |
      | warm          | /acme/before | /acme/quick |
      | cold and slow | /            | /acme/slow  |
      | warm and slow | /acme/before | /acme/slow  |

  Scenario: a user who half-closes after a body gets the response
    Given cell_us1 sends the body of its response to "/acme/things" in pieces, 40 ms apart
    When visitor sends raw bytes, then half-closes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      Content-Length: 5

      hello\
      """
    And anna visits "/acme/things"
    Then visitor gets the response of cell_us1, or the request ends at the cell (Z-45)
    And no cell took a truncated body for complete (Z-45)

  @late
  Scenario: a user who half-closes gets a response of 2 MB
    Given cell_us1 responds to "/acme/big" with 2000000 bytes
    When visitor sends raw bytes, then half-closes:
      """
      GET /acme/big HTTP/1.1
      {host and id}

      """
    And anna visits "/acme/things"
    Then visitor gets the response of cell_us1, or the request ends at the cell (Z-45)

  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario Outline: a user who half-closes within a body does not disturb the next user
    The body is incomplete. Any outcome of that request is fine.
    When visitor sends raw bytes, then half-closes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      <framing>

      5
      hello
      """
    And anna visits "/acme/more"
    Then anna gets the response of cell_us1 (RT-08)

    Examples:
      | case           | framing                    |
      | Content-Length | Content-Length: 100        |
      | chunked        | Transfer-Encoding: chunked |

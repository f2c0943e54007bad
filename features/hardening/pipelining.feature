@hardening @buffering @learning
Feature: Pipelined requests
  A user may send the next request before the previous response arrives. Responses come in the
  order of the requests. A router may close the connection after any of them; the user then
  resends the requests without a response.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  Scenario Outline: pipelined requests to different owners are answered in order
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      GET /acme/one HTTP/1.1
      {host and id}

      GET /gitlab-org/gitlab HTTP/1.1
      {host and id}

      GET /home/three HTTP/1.1
      {host and id}

      GET /my-company/handbook HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

    Examples:
      | cache | known              |
      | cold  | /                  |
      | warm  | /gitlab-org/gitlab |

  Scenario: pipelined requests are answered in order if the first takes longer
    Given visitor visited "/acme/before"
    And cell_us1 responds to "/acme/slow" after 200 ms
    When visitor sends raw bytes:
      """
      GET /acme/slow HTTP/1.1
      {host and id}

      GET /acme/quick HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

  @late
  Scenario: pipelined requests with bodies are answered in order
    When visitor sends raw bytes:
      """
      POST /acme/one HTTP/1.1
      {host and id}
      Content-Length: 5

      helloPUT /home/two HTTP/1.1
      {host and id}
      Transfer-Encoding: chunked

      5
      hello
      0

      DELETE /acme/three HTTP/1.1
      {host and id}

      HEAD /home/four HTTP/1.1
      {host and id}

      GET /acme/five HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

  Scenario Outline: bytes after a request with Connection close are not served
    `Connection: close` marks the last request (RFC 9112 9.6).
    When visitor sends raw bytes:
      """
      GET /acme/one HTTP/1.1
      {host and id}
      Connection: close

      <more>
      """
    Then no cell received a request for "/acme/unsolicited" (Z-57)
    And visitor gets status 200 (Z-57)

    Examples:
      | case      | more                                                   |
      | request   | GET /acme/unsolicited HTTP/1.1\\r\\nHost: {host}\\r\\n |
      | NUL bytes | \\0\\0\\0\\0                                           |

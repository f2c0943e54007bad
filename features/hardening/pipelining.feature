@hardening @buffering @learning
Feature: Requests that do not wait for each other
  A user may send the next request before the response to the last has come. Responses come in the order of the requests. A
  router may close the connection after any of them; what is unanswered then, the user sends anew.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  @req:Z-43
  Scenario Outline: different owners
    Given visitor visited "<known>"
    When visitor sends the bytes:
      """
      GET /acme/one HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}

      GET /gitlab-org/gitlab HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}

      GET /home/three HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}

      GET /my-company/handbook HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

    Examples:
      | known              |
      | /                  |
      | /gitlab-org/gitlab |

  @req:Z-43
  Scenario: the first one takes longer
    Given visitor visited "/acme/before"
    And cell_us1 responds to "/acme/slow" after 200 ms
    When visitor sends the bytes:
      """
      GET /acme/slow HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}

      GET /acme/quick HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

  @req:Z-43
  Scenario: with bodies
    When visitor sends the bytes:
      """
      POST /acme/one HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Content-Length: 5

      helloPUT /home/two HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Transfer-Encoding: chunked

      5
      hello
      0

      DELETE /acme/three HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}

      HEAD /home/four HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}

      GET /acme/five HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then the responses came in the order of the requests (Z-43)

  # The user has said that this was the last one (RFC 9112 9.6).
  @req:Z-57
  Scenario Outline: what follows Connection: close is not served and spoils nothing
    When visitor sends the bytes:
      """
      GET /acme/one HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      <more>
      """
    Then no cell received a request for "/acme/unsolicited" (Z-57)
    And visitor gets status 200 (Z-57)

    Examples:
      | case       | more                                               |
      | a request  | GET /acme/unsolicited HTTP/1.1\\r\\nHost: {host}\\r\\n |
      | no request | \\0\\0\\0\\0                                       |

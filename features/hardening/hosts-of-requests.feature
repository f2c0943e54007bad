@hardening @buffering @learning
Feature: The Host of each request on a connection
  Each request on a connection has its own Host. What the first one said, or that it was
  valid, means nothing for the next.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: the Host of the first request is not that of the next
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      GET /acme/one HTTP/1.1
      Host: first.example
      X-Conformance-Id: {id}

      GET /acme/two HTTP/1.1
      Host: second.example
      X-Conformance-Id: {id}
      Connection: close

      """
    Then no cell received the host "first.example" with the request for "/acme/two" (Z-89)
    And no cell received the host "second.example" with the request for "/acme/one" (Z-89)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario Outline: a bad Host behind a valid one is refused
    When visitor sends raw bytes:
      """
      GET /acme/one HTTP/1.1
      {host and id}

      GET /acme/two HTTP/1.1
      <hosts>
      X-Conformance-Id: {id}
      Connection: close

      """
    Then no cell received a request for "/acme/two" (Z-89)

    Examples:
      | case    | hosts                                |
      | none    | Accept: */*                          |
      | two     | Host: {host}\\r\\nHost: evil.example |
      | invalid | Host: a b                            |

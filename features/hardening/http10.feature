@hardening @buffering @learning @capability:http10-clients
Feature: Users who speak HTTP/1.0
  They know neither chunks nor interim responses, and expect the connection to end with the response.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @req:Z-44
  Scenario Outline: an ordinary page
    Given visitor visited "<known>"
    When visitor sends the bytes:
      """
      GET /acme/things HTTP/1.0
      Host: {host}
      X-Conformance-Id: {id}

      """
    Then visitor gets the response of cell_us1 (Z-44)
    And visitor gets no chunked coding (Z-44)
    And visitor got nothing before the response (Z-44)

    Examples:
      | known        |
      | /            |
      | /acme/before |

  @req:Z-44
  Scenario Outline: a response that comes in chunks
    Given cell_us1 responds to "/acme/things" with <bytes> bytes in chunks
    When visitor sends the bytes:
      """
      GET /acme/things HTTP/1.0
      Host: {host}
      X-Conformance-Id: {id}

      """
    Then visitor gets the response of cell_us1 (Z-44)
    And visitor gets no chunked coding (Z-44)

    Examples:
      | bytes  |
      | 0      |
      | 300000 |

  @req:Z-44
  Scenario: a response after an interim one
    Given cell_us1 sends 103 before its response to "/acme/things"
    When visitor sends the bytes:
      """
      GET /acme/things HTTP/1.0
      Host: {host}
      X-Conformance-Id: {id}

      """
    Then visitor got nothing before the response (Z-44)
    And visitor gets status 200 (Z-44)

  # The expectation of an HTTP/1.0 user is ignored (RFC 9110 10.1.1).
  @req:Z-44
  Scenario: a body
    When visitor sends the bytes:
      """
      POST /acme/things HTTP/1.0
      Host: {host}
      X-Conformance-Id: {id}
      Content-Length: 5
      Expect: 100-continue

      hello\
      """
    Then visitor got nothing before the response (Z-44)
    And visitor gets the response of cell_us1 (Z-44)

  @req:Z-44
  Scenario: without a host
    When visitor sends the bytes:
      """
      GET /acme/things HTTP/1.0
      X-Conformance-Id: {id}

      """
    Then visitor gets one of the statuses "200, 400" (Z-44)
    And visitor gets no chunked coding (Z-44)

  @req:Z-41
  Scenario: a response that breaks off
    Given cell_us1 resets the connection within the body of its response to "/acme/things"
    When visitor sends the bytes:
      """
      GET /acme/things HTTP/1.0
      Host: {host}
      X-Conformance-Id: {id}

      """
    Then visitor is not given a part of a response as the whole (Z-41)

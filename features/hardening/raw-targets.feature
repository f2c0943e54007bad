@hardening @buffering @learning
Feature: Targets of every form
  A target in absolute form is served like its origin form. CONNECT, and a target that is a host and a port, open no
  tunnel. What `OPTIONS *` gets is left open, but that it gets something is not.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @req:Z-42
  Scenario Outline: absolute form
    When visitor sends the bytes:
      """
      <method> http://{host}/acme/things<query> HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Content-Length: 0
      Connection: close

      """
    Then the target "/acme/things<query>" reached cell_us1 (Z-42)
    And visitor gets status 200 (Z-42)

    Examples:
      | case    | method | query    |
      | GET     | GET    |          |
      | POST    | POST   |          |
      | a query | GET    | ?a=%2F&b |

  # Which Host the cell sees is left to the router.
  @req:Z-42
  Scenario: an absolute target beside another host is served or refused
    When visitor sends the bytes:
      """
      GET http://{host}/acme/things HTTP/1.1
      Host: evil.example
      X-Conformance-Id: {id}
      Connection: close

      """
    Then visitor gets one of the statuses "200, 400, 403, 404, 421" (Z-42)

  @req:Z-42
  Scenario: absolute form, to a place that is known
    Given visitor visited "/acme/before"
    When visitor sends the bytes:
      """
      GET http://{host}/acme/things HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then the target "/acme/things" reached cell_us1 (Z-42)
    And the last request reached exactly one cell (Z-42)

  # A router that believes it would fetch it.
  @req:Z-42
  Scenario: absolute form, to a host elsewhere
    When visitor sends the bytes:
      """
      GET http://evil.example/acme/things HTTP/1.1
      Host: evil.example
      X-Conformance-Id: {id}
      Connection: close

      """
    Then visitor gets one of the statuses "200, 400, 403, 404, 421" (Z-42)

  @req:Z-42
  Scenario Outline: no tunnel
    When visitor sends the bytes:
      """
      <method> <target> HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then the router refused the bytes (Z-42)
    And nothing of the bytes reached a cell (Z-42)

    Examples:
      | case                  | method  | target           |
      | CONNECT to the router | CONNECT | {host}           |
      | CONNECT to a host     | CONNECT | evil.example:443 |

  # RFC 9112 3 lets a server respond such a line with 400 or repair it by a redirect.
  @req:Z-42
  Scenario: a GET with a host for its target opens no tunnel
    When visitor sends the bytes:
      """
      GET {host} HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then visitor gets one of the statuses "200, 301, 302, 400, 404, 501" (Z-42)

  @req:Z-42
  Scenario: everything there is
    When visitor sends the bytes:
      """
      OPTIONS * HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then visitor gets one of the statuses "200, 204, 400, 403, 404, 405, 501" (Z-42)

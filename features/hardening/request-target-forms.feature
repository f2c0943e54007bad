@hardening @buffering @learning
Feature: Forms of the request target
  A router serves a target in absolute form like its origin form. CONNECT, and a target of host
  and port, open no tunnel. The response to `OPTIONS *` is left open, but there is one.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: an absolute-form target is served like its origin form
    When visitor sends raw bytes:
      """
      <method> http://{host}/acme/things<query> HTTP/1.1
      {host and id}
      Content-Length: 0
      Connection: close

      """
    Then the target "/acme/things<query>" reached cell_us1 (Z-42)
    And visitor gets status 200 (Z-42)

    Examples:
      | case             | method | query    |
      | GET              | GET    |          |
      | POST             | POST   |          |
      | GET with a query | GET    | ?a=%2F&b |

  Scenario: an absolute-form target uses the cache
    Given visitor visited "/acme/before"
    When visitor sends raw bytes:
      """
      GET http://{host}/acme/things HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the target "/acme/things" reached cell_us1 (Z-42)
    And the last request reached exactly one cell (Z-42)

  Scenario Outline: CONNECT opens no tunnel
    When visitor sends raw bytes:
      """
      CONNECT <target> HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the raw request opened no tunnel (Z-42)
    And no part of the raw request reached a cell (Z-42)

    Examples:
      | case              | target           |
      | to the router     | {host}           |
      | to a foreign host | evil.example:443 |

  Scenario Outline: <case> gets a fitting response
    The router decides which Host the cell sees. An open proxy would fetch the foreign page. To a
    target of host and port, a server may respond with a redirect to a valid one (RFC 9112 3).
    When visitor sends raw bytes:
      """
      <request> HTTP/1.1
      Host: <host>
      X-Conformance-Id: {id}
      Connection: close

      """
    Then visitor gets status <statuses> (Z-42)

    Examples:
      | case                              | request                             | host         | statuses                                              |
      | absolute form beside another Host | GET http://{host}/acme/things       | evil.example | 200, 400, 403, 404, 421                               |
      | absolute form of a foreign host   | GET http://evil.example/acme/things | evil.example | 200, 400, 403, 404, 421                               |
      | GET of host and port              | GET {host}                          | {host}       | 200, 301, 302, 307, 308, 400, 403, 404, 405, 421, 501 |
      | OPTIONS of the whole server       | OPTIONS *                           | {host}       | 200, 204, 400, 403, 404, 405, 501                     |

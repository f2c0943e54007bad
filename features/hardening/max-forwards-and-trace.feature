@hardening @buffering @learning
Feature: Max-Forwards and TRACE
  Max-Forwards says how many proxies may still forward an OPTIONS or a TRACE. A router takes one
  away, or more where it has its own maximum, or refuses these methods. No response to TRACE
  repeats a secret of the user.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router
    And visitor visited "/acme/before"

  Scenario Outline: a request whose Max-Forwards is zero reaches no cell
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      Max-Forwards: 0
      Connection: close

      """
    Then no cell received a request for "/acme/things" (Z-84)
    And visitor gets status 200, 204, 400, 403, 404, 405, 501 (Z-84)

    Examples:
      | method  |
      | OPTIONS |
      | TRACE   |

  Scenario Outline: a forwarded request has a smaller Max-Forwards
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      Max-Forwards: 5
      Connection: close

      """
    Then each copy of the request had a smaller number in the field "Max-Forwards" (Z-84)
    And visitor gets status 200, 204, 400, 403, 404, 405, 501 (Z-84)

    Examples:
      | method  |
      | OPTIONS |
      | TRACE   |

  Scenario Outline: the response to TRACE repeats no secret
    When visitor sends raw bytes:
      """
      TRACE /acme/things HTTP/1.1
      {host and id}
      <field>
      Connection: close

      """
    Then visitor does not see the text "secret-of-visitor" (Z-85)

    Examples:
      | field                                   |
      | Cookie: session=secret-of-visitor       |
      | Authorization: Bearer secret-of-visitor |

@hardening @buffering @learning
Feature: Fields that reveal forwarding loops
  CDN-Loop and Via tell each proxy who had the request before. A proxy that removes
  them hides a loop. A router may add a member for itself.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: CDN-Loop of a request reaches the cell
    Given visitor visited "<known>"
    When visitor sends:
      """
      GET /acme/things
      CDN-Loop: edge.example, cdn.example; hop=1

      """
    Then each request had "edge.example, cdn.example; hop=1" in the field "CDN-Loop" (Z-88)
    And visitor gets the response of cell_us1 (Z-88)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario: a Via of a request reaches the cell
    When visitor sends:
      """
      GET /acme/things
      Via: 1.1 edge.example, 1.0 inner

      """
    Then each request had "1.1 edge.example, 1.0 inner" in the field "Via" (Z-90)
    And visitor gets the response of cell_us1 (Z-90)

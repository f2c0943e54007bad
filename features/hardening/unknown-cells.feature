@hardening
Feature: Unknown cells
  A redirect header or a learn response may name only cells of the topology. The router never
  takes the name for a host.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering
  Scenario Outline: a redirect header with an unknown cell causes a refusal
    Given every cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:<cell>}"
    When visitor visits "/acme/things"
    Then the router refused the request (Z-02)
    And the last request reached exactly one cell (Z-02)
    And the refusal names no cell (Z-58)
    And the response repeats no singleton field (Z-99)

    Examples:
      | case            | cell        |
      | unknown name    | Cell US9    |
      | start of a name | Cell        |
      | address         | 127.0.0.1:9 |

  @learning
  Scenario Outline: a learn response with an unknown cell causes a refusal
    Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/acme", "cell": "<cell>", "source": "routable"}'
    When visitor visits "/acme/things"
    Then the router refused the request (Z-02)
    And the refusal names no cell (Z-58)
    And the response repeats no singleton field (Z-99)

    Examples:
      | case           | cell        |
      | unknown id     | cell_us9    |
      | start of an id | cell        |
      | address        | 127.0.0.1:9 |

  @learning
  Scenario: a learn response with an unknown cell adds no entry
    Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/acme", "cell": "cell_us9", "source": "routable"}'
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went to cell_us1 as on a cold cache (Z-02)

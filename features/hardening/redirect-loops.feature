@hardening @buffering
Feature: Internal redirects are limited
  The router sends a request to cells at most as often as the hop limit allows. Three hops are
  enough for every valid request. Cells that redirect to each other do not cause an endless loop.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: three hops within the limit reach the owner
    Given the hop limit is <limit>
    And every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
    When visitor sends POST "/acme/things" with 4096 random bytes
    Then the exchange was (Z-01)
      """
      user->>router_eu: POST /acme/things
      router_eu->>any_eu_cell: POST /acme/things
      any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
      router_eu->>cell_us0: POST /acme/things
      cell_us0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
      router_eu->>cell_us1: POST /acme/things
      cell_us1-->>user: 200
      """
    And the cell received the complete body (Z-01)

    Examples:
      | limit |
      | 3     |
      | 4     |

  Scenario: two cells that redirect to each other cause a refusal
    Given the hop limit is 4
    And cell_eu0 responds to "/acme/loop" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell EU1}"
    And cell_eu1 responds to "/acme/loop" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell EU0}"
    When visitor visits "/acme/loop"
    Then the router refused the request (Z-01)
    And the last request reached cells at most 16 times (Z-01)
    And the refusal names no cell (Z-58)
    And the response repeats no singleton field (Z-99)

  Scenario: a cell that redirects to itself causes a refusal
    Given the hop limit is 4
    And every cell responds to "/acme/loop" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US1}"
    When visitor sends POST "/acme/loop" with 1024 random bytes
    Then the router refused the request (Z-01)
    And the last request reached cells at most 16 times (Z-01)

  Scenario: a redirect loop does not affect the next request
    Given the hop limit is 4
    And every cell responds to "/acme/loop" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
    And every cell sets "X-Gitlab-Cell-Cache: {path_prefix:/acme/}" on its response to "/acme/loop"
    When visitor visits "/acme/loop"
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-01)

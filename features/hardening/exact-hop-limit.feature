@hardening @buffering @capability:exact-limits
Feature: The configured hop limit is exact
  A router may have its own hop limit. A router that claims `exact-limits` honors the limit
  in the topology.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router
    And every cell responds to "/acme/a/b/c/far" with:
      """
      302
      X-Gitlab-Cell-Redirect: {cell:Cell US0}

      """
    And cell_us0 sets "X-Gitlab-Cell-Redirect: {cell:Cell US1}" on its response to "/acme/a/b/c/far"
    And cell_us1 sets "X-Gitlab-Cell-Redirect: {cell:Cell EU0}" on its response to "/acme/a/b/c/far"

  @req:Z-01 @req:Z-35
  Scenario Outline: a chain of internal redirects one longer than the limit is refused
    Given the hop limit is <limit>
    When visitor visits "/acme/a/b/c/far"
    Then the last request reached cells exactly <limit> times (Z-01)
    And the router refused the request (Z-35)

    Examples:
      | limit |
      | 2     |
      | 3     |

  @req:Z-01 @late
  Scenario: a chain of internal redirects after two others is no longer than the limit
    Given the hop limit is 3
    And the namespace "/home" on cell_us0
    And visitor visited "/acme/first"
    And visitor visited "/home/first"
    When visitor visits "/acme/a/b/c/far"
    Then the last request reached cells exactly 3 times (Z-01)

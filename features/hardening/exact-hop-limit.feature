@hardening @buffering @capability:exact-limits
Feature: The configured hop limit is exact
  A router may have a hop limit of its own. A router that claims `exact-limits` honours the limit
  in the topology.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router
    And every cell responds to "/acme/far" with:
      """
      302
      X-Gitlab-Cell-Redirect: {cell:Cell US0}

      """
    And cell_us0 sets on its response to "/acme/far":
      """
      X-Gitlab-Cell-Redirect: {cell:Cell US1}
      """
    And cell_us1 sets on its response to "/acme/far":
      """
      X-Gitlab-Cell-Redirect: {cell:Cell EU0}
      """

  @req:Z-01 @req:Z-35
  Scenario Outline: a chain of internal redirects one longer than the limit is refused
    Given the hop limit is <limit>
    When visitor visits "/acme/far"
    Then the last request reached cells exactly <limit> times (Z-01)
    And the router refused the request (Z-35)

    Examples:
      | limit |
      | 2     |
      | 3     |

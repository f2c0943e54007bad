@hardening @buffering
Feature: Redirects between cells come to an end
  A request is sent to cells at most as often as the limit says, and no router needs more than three hops for it. Cells that
  point at each other get no second round without end.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @req:Z-01
  Scenario Outline: three hops work
    Given a request may take at most <limit> hops
    And cell_eu0 responds to "/acme/things" with:
      """
      302
      X-Gitlab-Cell-Redirect: {cell:Cell US0}

      """
    And cell_eu1 responds to "/acme/things" with:
      """
      302
      X-Gitlab-Cell-Redirect: {cell:Cell US0}

      """
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
    And the cell received the body whole (Z-01)

    Examples:
      | limit |
      | 3     |
      | 4     |

  @req:Z-01 @req:Z-58
  Scenario: two cells point at each other
    Given a request may take at most 4 hops
    And cell_eu0 responds to "/acme/loop" with:
      """
      302
      Location: /acme/loop
      X-Gitlab-Cell-Redirect: {cell:Cell EU1}

      """
    And cell_eu1 responds to "/acme/loop" with:
      """
      302
      Location: /acme/loop
      X-Gitlab-Cell-Redirect: {cell:Cell EU0}

      """
    When visitor visits "/acme/loop"
    Then the router refused the request (Z-01)
    And the last request reached cells at most 16 times (Z-01)
    And the refusal names no cell (Z-58)

  @req:Z-01
  Scenario: a cell points at itself
    Given a request may take at most 4 hops
    And every cell responds to "/acme/loop" with:
      """
      302
      Location: /acme/loop
      X-Gitlab-Cell-Redirect: {cell:Cell US1}

      """
    When visitor sends POST "/acme/loop" with 1024 random bytes
    Then the router refused the request (Z-01)
    And the last request reached cells at most 16 times (Z-01)

  @req:Z-01
  Scenario: a loop harms no other request
    Given a request may take at most 4 hops
    And every cell responds to "/acme/loop" with:
      """
      302
      Location: /acme/loop
      X-Gitlab-Cell-Redirect: {cell:Cell US0}
      X-Gitlab-Cell-Cache: {path_prefix:/acme/}

      """
    When visitor visits "/acme/loop"
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-01)

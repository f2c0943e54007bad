@protocol @buffering @document:buffering-requests
Feature: Only the latest deployment knows the way
  A cell that cannot decode an endpoint sends the router to the latest deployment, Cell US0. That cell may send it on. The
  flow itself stands with the journeys; here is what cells of mixed age leave as it was.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:UN-02
  Scenario: one cell of the region is older, and not asked
    Given cell_eu1 runs an older version
    And the endpoint "/-/brand_new" that only the latest version knows and that belongs to cell_eu0
    When visitor visits "/-/brand_new", asking cell_eu0 first
    Then the exchange was (UN-02)
      """
      user->>router_eu: GET /-/brand_new
      router_eu->>cell_eu0: GET /-/brand_new
      cell_eu0-->>user: 200
      """

  @req:UN-02
  Scenario: places that every version knows
    Given cell_eu0 runs an older version
    And cell_eu1 runs an older version
    When visitor visits "/gitlab-org/gitlab"
    And visitor visits "/my-company/handbook"
    Then visitor gets what cell_eu0 answered (UN-02)
    And every answer reached its user as a cell gave it (UN-02)

@protocol @buffering
Feature: Only the latest deployment knows the way
  A cell that cannot decode an endpoint sends the router to the latest deployment, Cell US0. That cell may send it on. The
  flow itself stands with the journeys; here is what cells of mixed age leave as it was.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  # The older cell sends the router round by the latest one, and the newer cell responds at once. Of 200 fair choices one of
  # two cells gets fewer than 50 once in 3 * 10^12 runs.
  @req:UN-02
  @doc:buffering/cons:item-9
  Scenario: an older cell of the region and a newer one are both asked again and again
    Given cell_eu1 runs an older version
    And the endpoint "/-/brand_new" that only the latest version knows and that belongs to cell_eu0
    When visitor visits "/-/brand_new" 200 times
    Then every response reached its user as a cell gave it (UN-02)
    And each cell of the EU region was asked first at least 50 times (UN-02)
    And cell_eu0 responded last (UN-02)

  @req:UN-02
  @doc:buffering/cons:item-9
  Scenario: places that every version knows
    Given cell_eu0 runs an older version
    And cell_eu1 runs an older version
    When visitor visits "/gitlab-org/gitlab"
    And visitor visits "/my-company/handbook"
    Then visitor gets the response of cell_eu0 (UN-02)
    And every response reached its user as a cell gave it (UN-02)

@protocol @buffering @doc:buffering/cons:item-9
Feature: Cells of different versions
  A cell that cannot decode an endpoint redirects to the latest deployment, Cell US0, which may
  redirect again. The journeys show that flow. Here are its effects on the choice of cells and on
  known paths.

  Background:
    Given a cold EU router

  Scenario: an older and a newer cell of the region are both picked
    The older cell redirects by way of the latest deployment, and the newer cell responds itself. It
    is asked after that redirect as well: of 200 fair picks it gets none once in 2 * 10^60 runs.
    Given cell_eu1 runs an older version
    And the endpoint "/-/brand_new" that only the latest version knows and that belongs to cell_eu0
    When visitor visits "/-/brand_new", asking cell_eu1 first
    And visitor visits "/-/brand_new" 200 times
    Then every user got a cell's response unchanged (UN-02)
    And each cell of the EU region was asked first at least once (UN-02)
    And cell_eu0 responded last (UN-02)

  Scenario: paths that every version knows reach their owners
    Given cell_eu0 runs an older version
    And cell_eu1 runs an older version
    When visitor visits "/gitlab-org/gitlab"
    And visitor visits "/my-company/handbook"
    Then visitor gets the response of cell_eu0 (UN-02)
    And every user got a cell's response unchanged (UN-02)

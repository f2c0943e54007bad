@protocol @learning
Feature: Cells of different versions
  An older cell that cannot classify a path names the latest deployment, Cell US0. An unknown path
  ends in a 404 of a cell. The journeys show that flow. Here are cells of different versions, a
  request with a body, and repeated GraphQL requests.

  Background:
    Given a cold EU router

  @doc:routes-learning/cons:item-9
  Scenario: a new endpoint and an old path reach their cells with one older cell
    Given cell_eu1 runs an older version
    And the endpoint "/-/brand_new" that only the latest version knows
    And the namespace "/acme" on cell_eu1
    When visitor visits "/acme/things"
    And visitor visits "/-/brand_new"
    Then every user got a cell's response unchanged (UN-02)
    And cell_us0 responded last (UN-02)

  @req:UN-08
  @doc:routes-learning/cons:item-9
  Scenario: an unknown path gets the 404 of one cell
    Given anna is signed in
    When anna visits "/nobody/knows/this"
    And anna sends POST "/nobody/knows/that" with 64 random bytes
    Then every request reached exactly one cell (Z-34)
    And every user got a cell's response unchanged (UN-08)

  @doc:routes-learning/cons:item-7
  Scenario: GraphQL without an organization is asked about each time
    Given anna is signed in
    When anna visits "/api/graphql"
    And anna visits "/api/graphql"
    Then there were 2 pre-flights (TD-06)
    And every request reached exactly one cell (TD-06)

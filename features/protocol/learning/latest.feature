@protocol @learning @document:routes-learning
Feature: Only the latest deployment knows the way
  An older cell that cannot classify a path names the latest deployment, Cell US0. A path that nobody knows ends in a 404
  that a cell made.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:UN-01 @req:UN-05
  Scenario: the cells of the region are older
    Given cell_eu0 runs an older version
    And cell_eu1 runs an older version
    And the endpoint "/-/brand_new" that only the latest version knows
    When visitor visits "/-/brand_new"
    Then the exchange was (UN-05)
      """
      user->>router_eu: GET /-/brand_new
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/-/brand_new
      any_eu_cell-->>router_eu: 200 {path: "/-/brand_new", cell: "cell_us0", source: "fixed", exact: true}
      router_eu->>cell_us0: GET /-/brand_new
      cell_us0-->>user: 200
      """
    And visitor gets what cell_us0 answered (UN-01)

  @req:UN-02
  Scenario: one cell of the region is older
    Given cell_eu1 runs an older version
    And the endpoint "/-/brand_new" that only the latest version knows
    And the namespace "/acme" on cell_eu1
    When visitor visits "/acme/things"
    And visitor visits "/-/brand_new"
    Then every answer reached its user as a cell gave it (UN-02)
    And cell_us0 answered last (UN-02)

  @req:UN-08
  Scenario: a path that no cell knows
    When visitor visits "/nobody/knows/this"
    Then the exchange was (UN-08)
      """
      user->>router_eu: GET /nobody/knows/this
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/nobody/knows/this
      any_eu_cell-->>router_eu: 404
      alt to a cell of the region
        router_eu->>any_eu_cell: GET /nobody/knows/this
        any_eu_cell-->>user: 404
      else to the latest deployment
        router_eu->>cell_us0: GET /nobody/knows/this
        cell_us0-->>user: 404
      end
      """

  @req:UN-05
  Scenario: it is a cell that says so
    When visitor visits "/nobody/knows/this"
    And visitor sends POST "/nobody/knows/that" with 64 random bytes
    Then every request reached exactly one cell (UN-05)
    And every answer reached its user as a cell gave it (UN-05)

  @req:TD-06
  Scenario: nothing is remembered of GraphQL without a place
    Given anna is signed in
    When anna visits "/api/graphql"
    And anna visits "/api/graphql"
    Then there were 2 pre-flights (TD-06)
    And every request reached exactly one cell (TD-06)

Feature: What buffering permits
  The shortest counterexamples of the models of this proposal. They show what the proposal itself
  permits, however good the router is, and judge no router. `ci/proofs --keep` writes this file.

  # served
  @buffering @req:BF-08 @doc:buffering/organization-moved
  Scenario: two cells bounce a visit back and forth while a replica lags
    Given the replicas of the EU region lag until they are released
    And nina is signed in
    And the hop limit is 6
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "switch"
    And nina visits "/not-my-company", asking cell_eu0 first
    Then the exchange was (BF-08)
      """
      user->>router_eu: GET /not-my-company
      router_eu->>cell_eu0: GET /not-my-company
      cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
      router_eu->>cell_eu0: GET /not-my-company
      cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
      router_eu->>cell_eu0: GET /not-my-company
      cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
      router_eu-->>user: 508
      """

  # served-new
  @buffering @req:DB-06 @doc:buffering/new-namespace
  Scenario: a namespace just created is unknown while a replica lags
    Given the replicas of the EU region lag until they are released
    And nina is signed in
    And a cold EU router
    When the namespace "/fresh-company" is created on cell_us1
    And nina visits "/fresh-company"
    Then the exchange was (DB-06)
      """
      user->>router_eu: GET /fresh-company
      router_eu->>any_eu_cell: GET /fresh-company
      any_eu_cell-->>user: 404
      """

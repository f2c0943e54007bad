Feature: What learning permits
  The shortest counterexamples of the models of this proposal. They show what the proposal itself
  permits, however good the router is, and judge no router. `ci/proofs --keep` writes this file.

  # served-new
  @learning @req:DB-06 @doc:routes-learning/new-namespace
  Scenario: a lagging cell knows no owner of a namespace just created
    Given the replicas of the EU region lag until they are released
    And nina is signed in
    And a cold EU router
    When the namespace "/fresh-company" is created on cell_us1
    And nina visits "/fresh-company"
    Then the exchange was (DB-06)
      """
      user->>router_eu: GET /fresh-company
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/fresh-company
      any_eu_cell-->>router_eu: 404
      router_eu->>cell_us0: GET /fresh-company
      cell_us0-->>user: 404
      """

  # served-in-quiet
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: an entry learned before the move leads to a 404
    Given nina is signed in
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "copy the rest"
    And nina visits "/not-my-company", asking cell_eu0 first
    And the move of "not-my-organization" to cell_eu0 runs through "switch"
    And nina visits "/not-my-company"
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>cell_eu0: GET {learn}?method=GET&path_info=/not-my-company
      cell_eu0-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 200
      user->>router_eu: GET /not-my-company
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

  # served-in-step
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: an answer from before the switch leads to a 404
    Given nina is signed in
    And every cell holds its response to a pre-flight about "/not-my-company"
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "copy the rest"
    And nina starts to visit "/not-my-company"
    And the move of "not-my-organization" to cell_eu0 runs through "switch"
    And the held responses are released
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/not-my-company
      any_eu_cell-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

  # converges
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: what an answer from before the switch taught stays
    Given nina is signed in
    And every cell holds its response to a pre-flight about "/not-my-company"
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "copy the rest"
    And nina starts to visit "/not-my-company"
    And the move of "not-my-organization" to cell_eu0 runs through "thaw"
    And the held responses are released
    And nina visits "/not-my-company"
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/not-my-company
      any_eu_cell-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      user->>router_eu: GET /not-my-company
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

  # converges-at-last
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: no later visit is better until the entry expires
    Given nina is signed in
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "copy the rest"
    And nina visits "/not-my-company", asking cell_eu0 first
    And the move of "not-my-organization" to cell_eu0 runs through "thaw"
    And nina visits "/not-my-company"
    And nina visits "/not-my-company"
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>cell_eu0: GET {learn}?method=GET&path_info=/not-my-company
      cell_eu0-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 200
      user->>router_eu: GET /not-my-company
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      user->>router_eu: GET /not-my-company
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

  # learned-late
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: an answer of a lagging cell is learned after the release
    Given the replicas of the EU region lag until they are released
    And nina is signed in
    And every cell holds its response to a pre-flight about "/not-my-company"
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "thaw"
    And nina starts to visit "/not-my-company"
    And the replicas are released
    And the held responses are released
    And nina visits "/not-my-company"
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/not-my-company
      any_eu_cell-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      user->>router_eu: GET /not-my-company
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

  # learned-late-in-quiet
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: what a lagging cell taught outlives the lag
    Given the replicas of the EU region lag until they are released
    And nina is signed in
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "thaw"
    And nina visits "/not-my-company", asking cell_eu0 first
    And the replicas are released
    And nina visits "/not-my-company"
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>cell_eu0: GET {learn}?method=GET&path_info=/not-my-company
      cell_eu0-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      user->>router_eu: GET /not-my-company
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

  # lifetime-of-switch
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: a lagging cell teaches a lifetime after the switch
    Given the replicas of the EU region lag until they are released
    And nina is signed in
    And cache entries live 400 ms
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "switch"
    And the entries' time to live passes
    And nina visits "/not-my-company", asking cell_eu0 first
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>cell_eu0: GET {learn}?method=GET&path_info=/not-my-company
      cell_eu0-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

  # lifetime-of-release
  @learning @req:RT-07 @doc:routes-learning/organization-moved
  Scenario: an answer that took a lifetime is learned
    Given nina is signed in
    And every cell holds its response to a pre-flight about "/not-my-company"
    And cache entries live 400 ms
    And a cold EU router
    When the move of "not-my-organization" to cell_eu0 runs through "copy the rest"
    And nina starts to visit "/not-my-company"
    And the move of "not-my-organization" to cell_eu0 runs through "thaw"
    And the entries' time to live passes
    And the held responses are released
    And nina visits "/not-my-company"
    Then the exchange was (RT-07)
      """
      user->>router_eu: GET /not-my-company
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/not-my-company
      any_eu_cell-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      user->>router_eu: GET /not-my-company
      router_eu->>cell_us1: GET /not-my-company
      cell_us1-->>user: 404
      """

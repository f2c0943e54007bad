@protocol @learning
Feature: Learn responses printed in the proposal
  Both responses name `cell_0`. Here the topology gives that id to Cell US0, and routers take a
  cell's id from the topology.

  Background:
    Given cell_us0 has the id "cell_0"
    And a cold EU router
    And gabe is signed in

  @req:LN-05
  @doc:routes-learning/pre-flight:item-1
  Scenario: the printed routable response is matched as a prefix
    When gabe visits "/gitlab-org/gitlab-test/-/issues"
    And gabe visits "/gitlab-org/gitlab-test"
    Then the exchange was (LN-24)
      """
      user->>router_eu: GET /gitlab-org/gitlab-test/-/issues
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/gitlab-org/gitlab-test/-/issues
      any_eu_cell-->>router_eu: 200 {path: "/gitlab-org/gitlab-test", cell: "cell_0", source: "routable"}
      router_eu->>cell_0: GET /gitlab-org/gitlab-test/-/issues
      cell_0-->>user: 200
      %% LN-05 a path below the prefix needs no pre-flight
      user->>router_eu: GET /gitlab-org/gitlab-test
      router_eu->>cell_0: GET /gitlab-org/gitlab-test
      cell_0-->>user: 200
      """

  @req:LN-06
  @doc:routes-learning/pre-flight:item-2
  Scenario: the printed fixed response is matched exactly
    When gabe visits "/-/profile"
    And gabe visits "/-/profile"
    Then the exchange was (LN-24)
      """
      user->>router_eu: GET /-/profile
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/-/profile
      any_eu_cell-->>router_eu: 200 {path: "/-/profile", cell: "cell_0", source: "fixed", exact: true}
      router_eu->>cell_0: GET /-/profile
      cell_0-->>user: 200
      %% LN-06 this one path needs no pre-flight
      user->>router_eu: GET /-/profile
      router_eu->>cell_0: GET /-/profile
      cell_0-->>user: 200
      """

  @doc:routes-learning/pre-flight:item-2
  Scenario: a path below the printed exact path is asked about
    Given gabe visited "/-/profile"
    When gabe visits "/-/profile/x"
    Then there was one pre-flight (LN-06)
    And the pre-flight asked about "/-/profile/x" with the method GET (LN-03)

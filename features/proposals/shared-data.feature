Feature: What writes of shared data permit
  The shortest counterexamples of the models of both proposals, played on the fleet. They show what
  the proposals themselves permit, and judge no router.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @req:DB-05 @doc:buffering/changes:item-9
  Scenario: a write of Europe by its entry goes to the primary by buffering
    When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}', asking cell_eu0 first
    And anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "far", "path": "far"}'
    Then the exchange was (DB-05)
      """
      user->>router_eu: POST /organizations/my-organization/groups
      router_eu->>cell_eu0: POST /organizations/my-organization/groups
      cell_eu0-->>user: 201
      user->>router_eu: POST /organizations/my-organization/groups
      router_eu->>cell_eu0: POST /organizations/my-organization/groups
      cell_eu0-->>user: 201
      """
    And the write to "gitlab_routes" went to the primary (DB-05)

  @learning @req:DB-05 @doc:routes-learning/changes:item-11
  Scenario: a write of Europe by its entry goes to the primary by learning
    When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}', asking cell_eu0 first
    And anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "far", "path": "far"}'
    Then the exchange was (DB-05)
      """
      user->>router_eu: POST /organizations/my-organization/groups
      %% choice LN-17
      router_eu->>cell_eu0: GET {learn}?method=POST&path_info=/organizations/my-organization/groups
      cell_eu0-->>router_eu: 200 {path: "/organizations/my-organization", cell: "cell_eu0", source: "routable"}
      router_eu->>cell_eu0: POST /organizations/my-organization/groups
      cell_eu0-->>user: 201
      user->>router_eu: POST /organizations/my-organization/groups
      router_eu->>cell_eu0: POST /organizations/my-organization/groups
      cell_eu0-->>user: 201
      """
    And the write to "gitlab_routes" went to the primary (DB-05)

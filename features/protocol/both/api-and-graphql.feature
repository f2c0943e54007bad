@protocol @buffering @learning
Feature: API and GraphQL requests
  The proposals leave these flows open but for one point: a request with the organization in its
  path reaches the organization's cell. A request without it reaches some cell, and nothing
  breaks. The journeys show the flow itself.

  Background:
    Given a cold EU router

  @any-cache
  @doc:buffering/cons:item-7 @doc:routes-learning/cons:item-7
  Scenario: GraphQL with an organization in its path reaches the organization's cell
    Given nina is signed in
    When nina sends POST "/api/organizations/not-my-organization/graphql" with the JSON '{"query": "{ currentUser { username } }"}'
    Then cell_us1 responded last (TD-05)
    And nina gets the response of cell_us1 (TD-05)
    And the cell received the complete body (TD-05)

  @any-cache
  @doc:buffering/cons:item-7 @doc:routes-learning/cons:item-7
  Scenario: GraphQL without an organization does not misroute GraphQL with one
    Given nina is signed in
    And nina visited "/api/graphql"
    When nina sends POST "/api/organizations/not-my-organization/graphql"
    Then cell_us1 responded last (TD-06)

  @doc:buffering/unique-ids @doc:routes-learning/unique-ids
  Scenario Outline: an API request with a project id reaches the owner
    Given <person> is signed in
    When <person> visits "/api/v4/projects/<id>"
    Then <owner> responded last (ID-02)
    And <person> gets status 200 (ID-02)

    Examples:
      | case            | id     | person | owner    |
      | public project  | 278964 | gabe   | cell_us0 |
      | private project | 5101   | nina   | cell_us1 |

  @any-cache
  @doc:buffering/unique-ids @doc:routes-learning/unique-ids
  Scenario: API requests with different project ids reach their owners
    Given gabe is signed in
    And nina is signed in
    When gabe visits "/api/v4/projects/278964"
    And nina visits "/api/v4/projects/5101"
    And gabe visits "/api/v4/projects/278964"
    Then every user got a cell's response unchanged (ID-02)
    And cell_us0 responded last (ID-02)

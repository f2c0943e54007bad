@protocol @buffering @learning
Feature: API and GraphQL
  The documents leave these flows open but for one point: with the organization in its path a request finds its cell.
  Without, it reaches some cell, and nothing breaks. What the flow itself shows stands with the journeys.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:TD-05 @any-cache
  @doc:buffering/cons:item-7 @doc:routes-learning/cons:item-7
  Scenario: GraphQL with the organization in its path finds its cell, whatever the router remembers
    Given nina is signed in
    When nina sends:
      """
      POST /api/organizations/not-my-organization/graphql
      Content-Type: application/json

      {"query": "{ currentUser { username } }"}
      """
    Then cell_us1 responded last (TD-05)
    And nina gets the response of cell_us1 (TD-05)
    And the cell received the body whole (TD-05)

  @req:TD-06 @any-cache
  @doc:buffering/cons:item-7 @doc:routes-learning/cons:item-7
  Scenario: GraphQL without does not stand in the way of GraphQL with
    Given nina is signed in
    And nina visited "/api/graphql"
    When nina sends POST "/api/organizations/not-my-organization/graphql"
    Then cell_us1 responded last (TD-06)

  @req:ID-02
  @doc:buffering/unique-ids @doc:routes-learning/unique-ids
  Scenario Outline: a project by its id
    Given <person> is signed in
    When <person> visits "/api/v4/projects/<id>"
    Then <owner> responded last (ID-02)
    And <person> gets status 200 (ID-02)

    Examples:
      | id     | person | owner    |
      | 278964 | gabe   | cell_us0 |
      | 5101   | nina   | cell_us1 |

  @req:ID-02 @any-cache
  @doc:buffering/unique-ids @doc:routes-learning/unique-ids
  Scenario: one id after another
    Given gabe is signed in
    And nina is signed in
    When gabe visits "/api/v4/projects/278964"
    And nina visits "/api/v4/projects/5101"
    And gabe visits "/api/v4/projects/278964"
    Then every response reached its user as a cell gave it (ID-02)
    And cell_us0 responded last (ID-02)

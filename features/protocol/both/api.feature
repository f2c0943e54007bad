@protocol @buffering @learning @document:buffering-requests @document:routes-learning
Feature: API and GraphQL
  The documents leave these flows open but for one point: with the organization in its path a request finds its cell.
  Without, it reaches some cell, and nothing breaks.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:TD-05 @any-cache
  Scenario: GraphQL with the organization in its path
    Given nina is signed in
    When nina sends:
      """
      POST /api/organizations/not-my-organization/graphql
      Content-Type: application/json

      {"query": "{ currentUser { username } }"}
      """
    Then cell_us1 answered last (TD-05)
    And nina gets what cell_us1 answered (TD-05)
    And the cell received the body whole (TD-05)

  @req:TD-04
  Scenario: GraphQL without
    Given a request may take at most 4 hops
    And anna is signed in
    When anna sends:
      """
      POST /api/graphql
      Content-Type: application/json

      {"query": "{ currentUser { username } }"}
      """
    Then every answer reached its user as a cell gave it (TD-04)
    And the last request reached cells at most 4 times (TD-04)
    And the cell received the body whole (TD-04)

  @req:TD-06 @any-cache
  Scenario: GraphQL without does not stand in the way of GraphQL with
    Given nina is signed in
    And nina visited "/api/graphql"
    When nina sends POST "/api/organizations/not-my-organization/graphql"
    Then cell_us1 answered last (TD-06)

  @req:TD-07 @any-cache
  Scenario: suggestions in the search bar
    Given anna is signed in
    When anna visits "/search/autocomplete?term=my"
    Then every answer reached its user as a cell gave it (TD-07)

  @req:TD-08 @any-cache
  Scenario: global search
    Given anna is signed in
    When anna visits "/search?search=my-project"
    Then every answer reached its user as a cell gave it (TD-08)

  @req:ID-02
  Scenario Outline: a project by its id
    Given <person> is signed in
    When <person> visits "/api/v4/projects/<id>"
    Then <owner> answered last (ID-02)
    And <person> gets status 200 (ID-02)

    Examples:
      | id         | person | owner    |
      | 278964     | gabe   | cell_us0 |
      | 5001       | anna   | cell_eu0 |
      | 5101       | nina   | cell_us1 |
      | 5000000002 | anna   | cell_eu0 |

  @req:ID-02 @any-cache
  Scenario: one id after another
    Given gabe is signed in
    And nina is signed in
    When gabe visits "/api/v4/projects/278964"
    And nina visits "/api/v4/projects/5101"
    And gabe visits "/api/v4/projects/278964"
    Then every answer reached its user as a cell gave it (ID-02)
    And cell_us0 answered last (ID-02)

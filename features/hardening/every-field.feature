@hardening @buffering @learning
Feature: Every field, by every method
  A router handles fields one by one. It does so for any method, later on a connection as at first,
  for an owner known or not, when somebody has left and while somebody waits. The line
  `{every field 3}` stands for fields of every kind, each with this number in its value.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/tools" on cell_eu1
    And cell_us1 holds its response to "/acme/held"
    And cell_us1 closes the connection instead of responding to "/acme/broken", once
    And a cold EU router

  @req:Z-68
  Scenario Outline: the fields of a request arrive
    When nina starts to visit "/acme/held"
    And gabe starts to visit "/acme/held"
    And nina leaves
    And anna sends DELETE "/acme/broken"
    And several users share a connection, in turns:
      """
      visitor sends <method> /acme/a/b/c/first?a=1
      {every field 1}
      visitor sends <method> /tools/a/b/c/second?a=2
      {every field 2}
      visitor sends <method> /acme/a/b/c/third?a=3
      {every field 3}
      visitor sends <method> /acme/a/b/c/third?a=3
      {every field 4}
      """
    And the held responses are released
    Then each request reached cells as its user sent it (Z-68)

    Examples:
      | method  |
      | GET     |
      | HEAD    |
      | POST    |
      | PUT     |
      | PATCH   |
      | DELETE  |
      | OPTIONS |

  @req:RT-08 @req:Z-43
  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario Outline: the fields of a response arrive
    Given cell_us1 responds to "/acme/a/b/c/first" with:
      """
      200
      {every field 1}

      page 1
      """
    And cell_us1 responds to "/acme/a/b/c/second" with:
      """
      404
      {every field 2}

      page 2
      """
    And cell_us1 responds to "/acme/a/b/c/third" with:
      """
      503
      {every field 3}

      page 3
      """
    When nina starts to visit "/acme/held"
    And gabe starts to visit "/acme/held"
    And nina leaves
    And anna sends DELETE "/acme/broken"
    And several users share a connection, in turns:
      """
      visitor sends <method> /acme/a/b/c/first
      visitor sends <method> /acme/a/b/c/second
      visitor sends <method> /acme/a/b/c/third
      visitor sends <method> /acme/a/b/c/first
      visitor sends <method> /acme/a/b/c/second
      """
    And the held responses are released
    Then each user on the connection got the response to their own request (Z-43)
    And the model of the documents permits every exchange (RT-08)

    Examples:
      | method  |
      | GET     |
      | HEAD    |
      | POST    |
      | PUT     |
      | PATCH   |
      | DELETE  |
      | OPTIONS |

@hardening @buffering @learning
Feature: Every field, by every method
  A router handles fields one by one. It does so for any method, later on a connection as at first,
  for an owner known or not. The line `{every field 3}` stands for fields of every kind, each with
  this number in its value.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/tools" on cell_eu1
    And a cold EU router

  @req:Z-68 @late
  Scenario Outline: the fields of a request arrive
    When several users share a connection, in turns:
      """
      visitor sends <method> /acme/a/b/c/first?a=1
      {every field 1}
      visitor sends <method> /tools/a/b/c/second?a=2
      {every field 2}
      visitor sends <method> /acme/a/b/c/first?a=1
      {every field 3}
      """
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
      503
      {every field 2}

      page 2
      """
    When several users share a connection, in turns:
      """
      visitor sends <method> /acme/a/b/c/first
      visitor sends <method> /acme/a/b/c/second
      visitor sends <method> /acme/a/b/c/first
      """
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

@protocol
Feature: Concurrent requests of several users
  A router serves many users at a time. A request that waits does not change the response to
  another. Cells hold their responses until the scenario releases them, so that requests overlap
  in a known order.

  Background:
    Given a cold EU router

  @buffering @learning
  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario: a request that waits for a cell does not block another
    Given the namespace "/acme" on cell_us1
    And every cell holds its response to "/acme/one"
    And every cell holds its response to a pre-flight about "/acme/one"
    When anna starts to visit "/acme/one"
    And nina visits "/gitlab-org/gitlab"
    And the held responses are released
    Then every user got a cell's response unchanged (RT-08)
    And nina sees the page "GitLab.org / GitLab" (RT-08)

  @learning
  @doc:routes-learning/project-signed-in:item-3
  Scenario: two users who wait for one pre-flight both reach the owner
    Given the namespace "/acme" on cell_us1
    And every cell holds its response to a pre-flight about "/acme/one"
    When anna starts to visit "/acme/one"
    And nina starts to visit "/acme/one" as well
    And visitor visits "/gitlab-org/gitlab"
    And the held responses are released
    Then every user got a cell's response unchanged (LN-18)
    And anna gets the response of cell_us1 (LN-18)
    And nina gets the response of cell_us1 (LN-18)

  @learning
  @doc:routes-learning/pros:item-5 @late
  Scenario: two users below one namespace reach the owners of their paths
    Given the namespace "/acme/one" on cell_us1
    And the namespace "/acme/two" on cell_us0
    And every cell holds its response to a pre-flight about "/acme/one"
    When anna starts to visit "/acme/one"
    And nina starts to visit "/acme/two" as well
    And visitor visits "/gitlab-org/gitlab"
    And the held responses are released
    Then anna gets the response of cell_us1 (RT-14)
    And nina gets the response of cell_us0 (RT-14)

@hardening @buffering @learning
Feature: Isolation
  What waits for one cell leaves room for the rest. A hundred requests wait here, so only queues
  and limits below that show.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario: requests that wait at one cell do not delay users of another
    Given visitor visited "/acme/before"
    And cell_us1 holds its response to "/acme/one"
    When anna starts to visit "/acme/one" 100 times
    And visitor visits "/gitlab-org/gitlab"
    And the held responses are released
    Then visitor gets the response of cell_us0 (Z-91)
    And the response to visitor took at most 5000 ms (Z-91)

  Scenario: users who left make room for those who come
    Given visitor visited "/acme/before"
    And cell_us1 holds its response to "/acme/one"
    When anna starts to visit "/acme/one" 100 times
    And anna leaves
    And visitor visits "/acme/two"
    And the held responses are released
    Then visitor gets the response of cell_us1 (Z-92)
    And the response to visitor took at most 5000 ms (Z-92)

  Scenario: users who left a stream make room for those who come
    Given visitor visited "/acme/before"
    And cell_us1 responds to "/acme/events" with two events, the second when released
    When anna starts to visit "/acme/events" 100 times
    And anna has received the first bytes
    And anna leaves
    And visitor visits "/acme/two"
    And the held responses are released
    Then visitor gets the response of cell_us1 (Z-92)
    And the response to visitor took at most 5000 ms (Z-92)

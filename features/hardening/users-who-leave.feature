@hardening
Feature: Users who leave
  A user may leave before the response comes. Whoever waits for the same thing still gets theirs.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @learning
  Scenario: users who wait for a pre-flight get their responses after the first has left
    Visits of one path may share a pre-flight, which the first one sends.
    Given every cell holds its response to a pre-flight about "/acme/one"
    When anna starts to visit "/acme/one"
    And nina starts to visit "/acme/one" as well
    And visitor visits "/gitlab-org/gitlab"
    And anna leaves
    And visitor visits "/gitlab-org/gitlab"
    And the held responses are released
    And olga visits "/acme/one"
    Then nina gets the response of cell_us1 (Z-66)
    And olga gets the response of cell_us1 (Z-66)

  @buffering @learning
  Scenario Outline: users who wait at a cell get their responses after another has left
    Given visitor visited "<known>"
    And cell_us1 holds its response to "/acme/one"
    When anna starts to visit "/acme/one"
    And nina starts to visit "/acme/one"
    And anna leaves
    And visitor visits "/gitlab-org/gitlab"
    And the held responses are released
    Then nina gets the response of cell_us1 (Z-66)

    Examples:
      | cache | known        |
      | cold  | /            |
      | warm  | /acme/before |

  @buffering @learning
  Scenario Outline: the rest of a response that a user left reaches nobody
    Given visitor visited "/acme/before"
    And cell_us1 responds to "/acme/big" with <response>
    When anna starts to visit "/acme/big"
    And anna has received the first bytes
    And anna leaves
    And the held responses are released
    And visitor visits "/acme/one"
    And nina visits "/acme/two"
    Then visitor gets the response of cell_us1 (Z-66)
    And nina gets the response of cell_us1 (Z-66)

    Examples:
      | kind   | response                                    |
      | length | 300000 bytes, the second half when released |
      | events | two events, the second when released        |

@hardening @buffering @learning
Feature: The router as a process
  A router listens where the topology says, goes by what it knows of it, and ends when it is told to.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1

  @req:Z-39
  Scenario Outline: ready, and stopped
    Given a cold <region> router
    When visitor visits "/acme/things"
    Then the router became ready and stopped when told to (Z-39)

    Examples:
      | region |
      | EU     |
      | US     |

  @req:Z-39
  Scenario: started anew on the same address
    Given a cold EU router
    When visitor visits "/acme/things"
    And the EU router restarts
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-39)
    And the router became ready and stopped when told to (Z-39)

  @req:Z-40
  Scenario: a topology with members that no router knows
    Given the topology has members that no router knows
    And a cold EU router
    When visitor visits "/acme/things"
    And visitor visits "/gitlab-org/gitlab"
    Then every response reached its user as a cell gave it (Z-40)
    And visitor sees the page "GitLab.org / GitLab" (Z-40)
    And the router became ready and stopped when told to (Z-40)

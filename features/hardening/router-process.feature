@hardening @buffering @learning
Feature: The router process
  A router listens where the topology says, follows the topology, and stops when told to.

  Background:
    Given the namespace "/acme" on cell_us1

  Scenario Outline: a router becomes ready and stops when told to
    Given a cold <region> router
    When visitor visits "/acme/things"
    Then the router became ready and stopped when told to (Z-39)

    Examples:
      | region |
      | EU     |
      | US     |

  Scenario: a router restarts on the same address
    Given a cold EU router
    When visitor visits "/acme/things"
    And the EU router restarts
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-39)
    And the router became ready and stopped when told to (Z-39)

  Scenario: a router ignores unknown members of the topology
    Given the topology has unknown members
    And a cold EU router
    When visitor visits "/acme/things"
    And visitor visits "/gitlab-org/gitlab"
    Then every user got a cell's response unchanged (Z-40)
    And visitor sees the page "GitLab.org / GitLab" (Z-40)
    And the router became ready and stopped when told to (Z-40)

  Scenario Outline: a router outlives a request with odd bytes in <place>
    Logs, metrics and texts are made of what users send.
    Given a cold EU router
    When anna sends raw bytes:
      """
      GET /acme/<path> HTTP/1.1
      {host and id}
      <field>
      Connection: close

      """
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-39)
    And the router became ready and stopped when told to (Z-39)

    Examples:
      | place             | path              | field                            |
      | its target        | \\xff\\xfe/\\xc0. | Accept: */*                      |
      | escapes           | %FF%C0%AE%00      | Accept: */*                      |
      | formats           | %25s%25n{}%25x    | User-Agent: %s%n%x{0}${jndi:a}   |
      | a value           | things            | User-Agent: \\xff\\xfe\\xe5      |
      | a claimed address | things            | X-Forwarded-For: \\xff, no, [::1 |
      | a cookie          | things            | Cookie: =; a=\\xff; ; "          |

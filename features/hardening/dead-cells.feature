@hardening @buffering @learning
Feature: Cells that are down
  A cell that is down costs the paths that it owns, and no others. A cold pick that is down is replaced by its neighbour,
  since nothing was sent yet. As soon as a cell is back its places are.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  Rule: The owner

    @req:Z-35 @req:Z-58
    Scenario Outline: an owner that refuses connections
      Given cell_us1 refuses connections
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 65536 |

    @req:Z-16
    Scenario: an owner that is down costs nobody else
      Given cell_us1 refuses connections
      When visitor visits "/acme/things"
      And visitor visits "/gitlab-org/gitlab"
      And visitor visits "/home/things"
      Then visitor gets the response of cell_eu0 (Z-16)

    @req:Z-35 @req:Z-16 @req:Z-58
    Scenario: an owner goes down whom the router knew
      Given visitor visited "/acme/things"
      And visitor visited "/gitlab-org/gitlab"
      When cell_us1 goes down
      And visitor visits "/gitlab-org/gitlab"
      And visitor visits "/acme/more"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And visitor had the response within 8000 ms (Z-16)

    @req:Z-16
    Scenario: an owner is back at once
      Given visitor visited "/acme/things"
      When cell_us1 goes down
      And visitor visits "/acme/things"
      And visitor visits "/acme/more"
      And cell_us1 comes back
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-16)

    # Its kept connections end without a word, but before anything is sent on them.
    @req:Z-16
    Scenario: an owner restarts
      Given visitor visited "/acme/things"
      And visitor visited "/home/things"
      When cell_us1 restarts
      And 150 ms pass
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-16)

  Rule: The cold pick

    # Each pick may meet the cell that is down: eight of them miss it once in 256 runs.
    @req:Z-16
    Scenario Outline: a neighbour is asked instead
      Given <cell> refuses connections
      When visitor visits "<path>" 8 times
      Then every response reached its user as a cell gave it (Z-16)

      Examples:
        | place                      | cell     | path               |
        | EU1 down, whoever is asked | cell_eu1 | /api/graphql       |
        | EU0 down, the root         | cell_eu0 | /                  |

    @req:Z-16
    Scenario Outline: the owner is in another region
      Given <cell> refuses connections
      When visitor sends POST "/acme/things" with 4096 random bytes
      Then visitor gets the response of cell_us1 (Z-16)
      And the cell received the body whole (Z-16)

      Examples:
        | cell     |
        | cell_eu0 |
        | cell_eu1 |

  Rule: A region

    @req:Z-16
    Scenario: the own region is down, and the place is known
      Given visitor visited "/acme/things"
      When the EU region goes down
      And 150 ms pass
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-16)

    # Asking elsewhere is allowed then.
    @req:Z-16
    Scenario: the own region is down, and the place is not known
      Given the EU region is down
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-16)
      And visitor had the response within 8000 ms (Z-16)

    @capability:cross-region-fallback @req:Z-16
    Scenario: cells of another region are asked
      Given the EU region is down
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-16)

    @req:Z-16
    Scenario: another region is down
      Given the US region is down
      When visitor visits "/acme/things"
      And visitor visits "/home/things"
      Then visitor gets the response of cell_eu0 (Z-16)

    @req:Z-16
    Scenario: the own region is back
      Given the EU region is down
      When visitor visits "/acme/things"
      And the EU region comes back
      And visitor visits "/home/things"
      Then visitor gets the response of cell_eu0 (Z-16)

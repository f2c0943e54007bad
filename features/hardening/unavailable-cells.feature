@hardening @buffering @learning
Feature: Unavailable cells
  A cell that is down affects only the paths that it owns. If the cell picked on a cold cache is
  down, the router tries its neighbor, since nothing was sent yet. A cell that comes back serves
  its paths at once.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  Rule: Owner outage

    Scenario Outline: a request to an owner that refuses connections is refused
      Given cell_us1 refuses connections
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And the response repeats no singleton field (Z-99)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 65536 |

    Scenario: an unavailable owner does not affect the paths of other cells
      Given cell_us1 refuses connections
      When visitor visits "/acme/things"
      And visitor visits "/gitlab-org/gitlab"
      And visitor visits "/home/things"
      Then visitor gets the response of cell_eu0 (Z-16)

    Scenario: a request to an owner that went down after it was cached is refused
      Given visitor visited "/acme/things"
      And visitor visited "/gitlab-org/gitlab"
      When cell_us1 goes down
      And visitor visits "/gitlab-org/gitlab"
      And visitor visits "/acme/more"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And the response to visitor took at most 8000 ms (Z-16)

    Scenario: a recovered owner serves its paths again
      Given visitor visited "/acme/things"
      When cell_us1 goes down
      And visitor visits "/acme/things"
      And visitor visits "/acme/more"
      And cell_us1 comes back
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-16)

    Scenario: a restarted owner serves its paths after 150 ms
      Idle connections to the cell close before the router sends anything on them.
      Given visitor visited "/acme/things"
      And visitor visited "/home/things"
      When cell_us1 restarts
      And 150 ms pass
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-16)

  Rule: Picked cell

    Scenario Outline: an unavailable cell is replaced by its neighbor
      Each pick may hit the cell that is down; eight picks all miss it once in 256 runs.
      Given <cell> refuses connections
      When visitor visits "<path>" 8 times
      Then every user got a cell's response unchanged (Z-16)

      Examples:
        | case                  | cell     | path         |
        | GraphQL with EU1 down | cell_eu1 | /api/graphql |
        | root with EU0 down    | cell_eu0 | /            |

    Scenario: an unavailable cell is replaced by its neighbor while another user waits
      Given cell_us1 holds its response to "/acme/held"
      And cell_eu0 refuses connections
      When gabe starts to visit "/acme/held"
      And visitor visits "/api/graphql" 8 times
      And the held responses are released
      Then every user got a cell's response unchanged (Z-16)

    Scenario Outline: a POST reaches an owner abroad though a cell at home is down
      Given <cell> refuses connections
      When visitor sends POST "/acme/things" with 4096 random bytes
      Then visitor gets the response of cell_us1 (Z-16)
      And the cell received the complete body (Z-16)

      Examples:
        | cell     |
        | cell_eu0 |
        | cell_eu1 |

  Rule: Region outage

    Scenario: a cached owner abroad responds while the home region is down
      Given visitor visited "/acme/things"
      When the EU region goes down
      And 150 ms pass
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-16)

    Scenario: an uncached path gets a timely response while the home region is down
      The router may then ask a cell of another region.
      Given every EU cell refuses connections
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-16)
      And the response to visitor took at most 8000 ms (Z-16)

    @capability:cross-region-fallback
    Scenario: another region is asked while the home region is down
      Given every EU cell refuses connections
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-16)

    Scenario: the home region responds while another region is down
      Given every US cell refuses connections
      When visitor visits "/acme/things"
      And visitor visits "/home/things"
      Then visitor gets the response of cell_eu0 (Z-16)

    Scenario: a recovered home region responds to the next request
      Given every EU cell refuses connections
      When visitor visits "/acme/things"
      And the EU region comes back
      And visitor visits "/home/things"
      Then visitor gets the response of cell_eu0 (Z-16)

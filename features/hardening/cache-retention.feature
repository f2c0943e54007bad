@hardening
Feature: Entries stay in the cache until something contradicts them
  A cache may evict. A router that drops an entry without a reason makes every second request a
  detour.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering
  Scenario: a response without a cache header keeps the entry
    Given cell_us1 responds to "/acme/quiet" with the status 200
    And visitor visited "/acme/things"
    When visitor visits "/acme/quiet"
    And visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-71)

  @buffering @learning
  Scenario: a sign-in keeps the entries of other paths
    Given visitor visited "/acme/things"
    When anna visits "/users/sign_in"
    And anna signs in
    And visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-71)

  @learning
  Scenario Outline: <field> on a learn response does not prevent caching
    The clock of a cell may be wrong, and an entry is no content.
    Given every cell responds to a pre-flight about "/acme/things" with:
      """
      200
      Content-Type: application/json
      <field>: <value>

      {"path": "/acme", "cell": "cell_us1", "source": "routable"}
      """
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-71)

    Examples:
      | field         | value                         |
      | Cache-Control | max-age=0, private, no-store  |
      | Expires       | 0                             |
      | Age           | 2147483648                    |
      | Date          | Thu, 01 Jan 1970 00:00:00 GMT |
      | Vary          | *                             |
      | Pragma        | no-cache                      |

  @buffering @learning
  Scenario Outline: a user who wants fresh content gets it by the entry
    An entry is a place, not content. What a user says about caches is for those who keep content.
    Given visitor visited "/acme/things"
    When anna sends:
      """
      GET /acme/things
      <wish>

      """
    And visitor visits "/acme/things"
    Then every request reached exactly one cell (Z-71)
    And the visit went straight to cell_us1 (Z-71)

    Examples:
      | case          | wish                                                                 |
      | no-cache      | Cache-Control: no-cache                                              |
      | max-age       | Cache-Control: max-age=0                                             |
      | no-store      | Cache-Control: no-store                                              |
      | Pragma        | Pragma: no-cache                                                     |
      | If-None-Match | If-None-Match: "1"\nIf-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT |

  @buffering @learning
  Scenario Outline: a response with status <status> keeps the entry
    It is a response all the same: the cell is there, and owns the place.
    Given cell_us1 responds to "/acme/failing" with the status <status>
    And visitor visited "/acme/things"
    When visitor visits "/acme/failing"
    And visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-71)

    Examples:
      | status |
      | 401    |
      | 429    |
      | 500    |
      | 502    |
      | 503    |
      | 504    |

  @buffering @learning
  Scenario: a request that fails keeps the entries of other paths
    Given the namespace "/other" on cell_us1
    And cell_us1 resets the connection instead of responding to "/acme/things", once
    And every cell closes the connection instead of responding to a pre-flight about "/acme/first"
    And visitor visited "/other/things"
    When visitor visits "/acme/first"
    And visitor visits "/acme/things"
    And visitor visits "/other/more"
    Then the visit went straight to cell_us1 (Z-71)

  @buffering @learning
  Scenario: responses with status 500 do not make a cell unavailable
    A page that fails says nothing about the other pages of its cell.
    Given cell_us1 responds to "/acme/failing" with the status 500
    When anna visits "/acme/failing" 12 times
    And visitor visits "/acme/things"
    Then every user got a cell's response unchanged (Z-16)
    And visitor gets the response of cell_us1 (Z-16)

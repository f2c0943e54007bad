@protocol @learning @doc:routes-learning/differences
Feature: Requests are sent exactly once
  The router sends the user's request to one cell, once. Pre-flights do not count.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  Scenario Outline: a write on a cold cache reaches one cell
    When visitor sends <method> "<path>" with <bytes> random bytes
    Then every request reached exactly one cell (LN-10)
    And the cell received the complete body (LN-10)
    And <owner> responded last (LN-10)

    Examples:
      | case               | path         | method | bytes | owner    |
      | empty POST         | /acme/things | POST   | 0     | cell_us1 |
      | PUT of 64 KiB      | /home/things | PUT    | 65536 | cell_eu0 |
      | DELETE with a body | /home/gone   | DELETE | 16    | cell_eu0 |

  Scenario: requests without a body reach one cell each
    When visitor visits "/acme/things"
    And visitor visits "/acme/more"
    And visitor visits "/home/things"
    And visitor visits "/"
    And visitor sends DELETE "/home/more"
    Then every request reached exactly one cell (LN-10)

  @late
  Scenario: a body beyond the buffer limit reaches one cell
    Given the body buffer limit is 65536 bytes
    When visitor sends POST "/acme/things" with 3145728 random bytes
    Then every request reached exactly one cell (LN-10)
    And the cell received the complete body (LN-10)

  Scenario Outline: a POST with an error response reaches one cell
    Given cell_us1 responds to "/acme/fault" with the status <status>
    When visitor sends POST "/acme/fault" with 64 random bytes
    Then every request reached exactly one cell (LN-10)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | status |
      | 404    |
      | 500    |
      | 503    |

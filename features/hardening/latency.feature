@hardening @buffering @learning
Feature: Time that a router adds
  To a place that it knows a router adds little. The bounds are far above that, since no scenario is decided by a busy
  machine; statistics are made elsewhere.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  @req:Z-29
  Scenario Outline: a known place
    Given visitor visited "<place>/before"
    When visitor visits "<place>/things"
    Then visitor had the answer within 2500 ms (Z-29)
    And visitor gets what <owner> answered (Z-29)

    Examples:
      | place | owner    |
      | /acme | cell_us1 |
      | /home | cell_eu0 |

  # The documents assume 10 ms within a region and 60 ms across.
  @req:Z-29
  Scenario: a far place that is known
    Given the cells of the EU region answer after 10 ms
    And the cells of the US region answer after 60 ms
    And visitor visited "/acme/before"
    When visitor visits "/acme/things"
    Then visitor had the answer within 2600 ms (Z-29)
    And visitor gets what cell_us1 answered (Z-29)

@hardening @buffering @learning
Feature: Time that a router adds
  To a place that it knows a router adds little. The cell's own time is taken off, and the best of many requests counts: a
  loaded machine makes times longer, but not every one of them, and a router that takes 50 ms for each has no better one.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  # The documents assume 10 ms within a region and 60 ms across.
  @req:Z-29
  Scenario Outline: a request to a known place takes hardly longer than its cell
    Given the cells of the EU region respond after 10 ms
    And the cells of the US region respond after 60 ms
    And visitor visited "<place>/before"
    When visitor visits "<place>/things" 16 times
    Then the router added at most 40 ms to the best of visitor's requests (Z-29)
    And every response reached its user as a cell gave it (Z-29)

    Examples:
      | where         | place |
      | in the region | /home |
      | far away      | /acme |

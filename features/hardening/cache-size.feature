@hardening @buffering @learning
Feature: What a router remembers is bounded
  Anybody can ask for places without end. A router keeps the order of magnitude of `max_entries`, so that the memory it
  needs does not depend on what strangers ask for. A bound by bytes is fine, and so is any way to choose what goes.

  Background:
    Given the cells and people of the documents
    And the router remembers about 3 entries
    And 300 places with long names on cell_us1
    And a cold EU router

  # Of 300 places 100 are visited again, each once and spread evenly. A router that keeps n of the 300 knows about n/3 of them,
  # so 50 are exceeded by one that keeps more than 150, fifty times what it should. One that keeps 50 or fewer cannot fail.
  @req:Z-70
  Scenario: a hundred times as many places as the cache may hold push early entries out
    When visitor visits 300 places with long names
    And visitor visits one in 3 of 300 places with long names
    Then at most 50 of the places were still known (Z-70)
    And every response reached its user as a cell gave it (Z-70)

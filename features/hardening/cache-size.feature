@hardening @buffering @learning
Feature: The cache is bounded
  Anyone can request an unlimited number of paths. A router keeps about `max_entries` entries, so
  that strangers cannot fill its memory. A bound in bytes is fine, and so is any eviction policy.

  Background:
    Given the cache holds about 3 entries
    And 300 paths with long names on cell_us1
    And a cold EU router

  @req:Z-70 @late
  Scenario: a hundred times as many paths as max_entries evict early entries
    Of 300 paths, 100 are visited again, once each and evenly spread. A router that keeps n of the
    300 has about n/3 of them cached, so a router that keeps more than 150, fifty times the limit,
    exceeds 50. A router that keeps 50 or fewer cannot fail.
    When visitor visits 300 paths with long names
    And visitor visits one in 3 of 300 paths with long names
    Then at most 50 of the paths were still cached (Z-70)
    And every user got a cell's response unchanged (Z-70)

@hardening @buffering @learning
Feature: Latency that the router adds
  A router adds little time on a warm cache. The time of the cell is subtracted, and the fastest
  of many requests counts. A loaded machine slows some requests but not all of them; a router that
  adds 50 ms to each request has no fast one.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  Scenario Outline: a request on a warm cache takes hardly longer than the cell
    The proposals assume 10 ms within a region and 60 ms between regions.
    Given the cells of the EU region respond after 10 ms
    And the cells of the US region respond after 60 ms
    And visitor visited "<path>/before"
    When visitor visits "<path>/things" 16 times
    Then the router added at most 40 ms to the fastest of visitor's requests (Z-29)
    And every user got a cell's response unchanged (Z-29)

    Examples:
      | where        | path  |
      | home region  | /home |
      | other region | /acme |

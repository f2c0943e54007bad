@protocol @buffering @learning @doc:buffering/cons:item-5 @doc:routes-learning/cons:item-5
Feature: Eviction of cache entries
  There may be more paths than cache entries. An evicted entry costs a hop and nothing else.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario: an evicted path gets its response again
    Given the cache holds about 20 entries
    And 400 paths with different prefixes
    When visitor visits "/acme/things"
    And visitor visits 400 paths with different cold prefixes
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (CA-14)
    And every user got a cell's response unchanged (CA-14)

  Scenario: paths that evict each other all get their responses
    Given the cache holds about 1 entries
    When visitor visits "/acme/things"
    And visitor visits "/gitlab-org/gitlab"
    And visitor visits "/my-company/handbook"
    And visitor visits "/gitlab-org/gitlab"
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (CA-14)
    And every user got a cell's response unchanged (CA-14)
    And every response has the status 200 (CA-14)

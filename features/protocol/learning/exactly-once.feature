@protocol @learning
Feature: Exactly once
  The user's request is sent to one cell, one time. What the router asks beforehand does not count.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And a cold EU router

  @req:LN-10
  @doc:routes-learning/differences
  Scenario Outline: on a cold cache
    When visitor sends <method> "<path>" with <bytes> random bytes
    Then every request reached exactly one cell (LN-10)
    And the cell received the body whole (LN-10)
    And <owner> responded last (LN-10)

    Examples:
      | path         | method | bytes | owner    |
      | /acme/things | POST   | 0     | cell_us1 |
      | /home/things | PUT    | 65536 | cell_eu0 |
      | /home/gone   | DELETE | 16    | cell_eu0 |

  @req:LN-10
  @doc:routes-learning/differences
  Scenario: without a body, cold and warm
    When visitor visits "/acme/things"
    And visitor visits "/acme/more"
    And visitor visits "/home/things"
    And visitor visits "/"
    And visitor sends DELETE "/home/more"
    Then every request reached exactly one cell (LN-10)

  @req:LN-10
  @doc:routes-learning/differences
  Scenario: a large body, more than would be buffered
    Given at most 65536 bytes are buffered
    When visitor sends POST "/acme/things" with 3145728 random bytes
    Then every request reached exactly one cell (LN-10)
    And the cell received the body whole (LN-10)

  @req:LN-10 @req:RT-08
  @doc:routes-learning/differences
  Scenario Outline: a response that speaks of a fault is a response
    Given cell_us1 responds to "/acme/fault" with:
      """
      <status>
      Content-Type: text/plain

      no
      """
    When visitor sends POST "/acme/fault" with 64 random bytes
    Then every request reached exactly one cell (LN-10)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | status |
      | 404    |
      | 500    |
      | 503    |

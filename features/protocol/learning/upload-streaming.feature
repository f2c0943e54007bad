@protocol @learning @doc:routes-learning/differences
Feature: Uploads are streamed to the owner
  Once the router knows the owner, it need not buffer the body: the first bytes can reach the cell
  while the user still sends.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @late
  Scenario: an upload on a cold cache is streamed
    When visitor uploads 4194304 bytes to "/acme/upload", the second half once a cell reads
    Then the first bytes reached the cell before the last were sent (LN-12)
    And the cell received the complete body (LN-10)
    And every request reached exactly one cell (LN-10)

  Scenario: an upload on a warm cache is streamed
    Given visitor visited "/acme/things"
    When visitor uploads 4194304 bytes to "/acme/upload", the second half once a cell reads
    Then the first bytes reached the cell before the last were sent (LN-12)
    And the cell received the complete body (LN-10)

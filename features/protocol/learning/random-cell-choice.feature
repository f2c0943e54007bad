@protocol @learning @doc:routes-learning/project-signed-in:item-2
Feature: Random choice of the cell for a pre-flight
  Each pre-flight goes to a cell of the router's own region, picked at random each time. This is a
  SHOULD, since another choice breaks nothing; so is, apart from it, that the shares are even. The
  feature about the random choice in buffering says how often these fail a fair choice.

  @req:LN-17 @req:Z-76
  Scenario Outline: 200 pre-flights for cold prefixes spread over the cells of the region
    Given a cold <region> router
    And 200 paths with different prefixes
    When visitor visits 200 paths with different cold prefixes
    Then each cell of the <region> region was asked first at least once (LN-17)
    And each cell of the <region> region that was asked first was so at least 50 times (Z-76)
    And no cell of the <other> region was asked first (LN-17)

    Examples:
      | region | other |
      | EU     | US    |
      | US     | EU    |

  @req:LN-17 @req:Z-76 @late
  Scenario: 200 pre-flights for one path spread over the cells of the region
    Given a cold EU router
    When visitor visits "/api/graphql" 200 times
    Then each cell of the EU region was asked first at least once (LN-17)
    And each cell of the EU region that was asked first was so at least 50 times (Z-76)

  @req:LN-17 @req:Z-76
  Scenario: 200 pre-flights for cold prefixes spread over three cells, also where older entries go
    Given cell_eu2 is also in the topology
    And the cache holds about 10 entries
    And a cold EU router
    And 200 paths with different prefixes
    When visitor visits 200 paths with different cold prefixes
    Then each cell of the EU region was asked first at least once (LN-17)
    And each cell of the EU region that was asked first was so at least 20 times (Z-76)

  @req:LN-17
  Scenario: an unavailable cell is replaced by its neighbor
    Each pick may hit the cell that is down; twelve picks all miss it once in 4096 runs.
    Given a cold EU router
    And 12 paths with different prefixes
    And cell_eu0 refuses connections
    When visitor visits 12 paths with different cold prefixes
    Then no cell of the US region was asked first (LN-17)

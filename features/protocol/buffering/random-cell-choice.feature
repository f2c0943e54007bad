@protocol @buffering
Feature: Random choice of a cell
  On a cold cache the router picks a cell of its own region at random for each request. Of
  200 fair picks, one of two cells gets none once in 8 * 10^59 runs, and one of three once in
  5 * 10^34. That the shares are even is a SHOULD: one of two cells gets fewer than 50 once in
  3 * 10^12 runs, and one of three fewer than 20 once in 10^14.

  @req:BF-11 @req:Z-76 @req:RG-01
  @doc:buffering/changes:item-8 @doc:buffering/project-signed-in:item-2
  Scenario Outline: 200 cold prefixes spread over the cells of the region
    Given a cold <region> router
    And 200 paths with different prefixes
    When visitor visits 200 paths with different cold prefixes
    Then each cell of the <region> region was asked first at least once (BF-11)
    And each cell of the <region> region that was asked first was so at least 50 times (Z-76)
    And no cell of the <other> region was asked first (RG-01)

    Examples:
      | region | other |
      | EU     | US    |
      | US     | EU    |

  @req:BF-11 @req:Z-76 @req:RG-01
  @doc:buffering/changes:item-8 @doc:buffering/project-signed-in:item-2 @late
  Scenario: 200 requests for the root spread over the cells of the region
    Given a cold EU router
    When visitor visits "/" 200 times
    Then each cell of the EU region was asked first at least once (BF-11)
    And each cell of the EU region that was asked first was so at least 50 times (Z-76)
    And no cell of the US region was asked first (RG-01)

  @req:BF-16
  @doc:buffering/root:item-2 @doc:buffering/root-legacy:item-5
  Scenario: 200 signed-out requests for the dashboard spread over the cells
    Given a cold EU router
    When visitor visits "/dashboard" 200 times
    Then each cell of the EU region was asked first at least once (BF-16)

  @req:CA-12
  @doc:buffering/root:item-2
  Scenario: 200 signed-in requests for the root spread over the cells
    Given a cold EU router
    And gabe is signed in
    When gabe visits "/" 200 times
    Then each cell of the EU region was asked first at least once (CA-12)

  @req:BF-11 @req:Z-76
  @doc:buffering/changes:item-8 @doc:buffering/project-signed-in:item-2
  Scenario: 200 cold prefixes spread over three cells, also where older entries go
    Given cell_eu2 is also in the topology
    And the cache holds about 10 entries
    And a cold EU router
    And 200 paths with different prefixes
    When visitor visits 200 paths with different cold prefixes
    Then each cell of the EU region was asked first at least once (BF-11)
    And each cell of the EU region that was asked first was so at least 20 times (Z-76)

  @req:TD-06
  @doc:buffering/cons:item-7
  Scenario: 200 GraphQL requests spread over the cells of the region
    Given a cold EU router
    When visitor visits "/api/graphql" 200 times
    Then each cell of the EU region was asked first at least once (TD-06)

  @req:RG-01
  @doc:buffering/changes:item-8
  Scenario: a request for a path of the home region stays in the region
    Given the namespace "/acme" on cell_eu1
    And a cold EU router
    When visitor visits "/acme/things"
    And visitor visits "/my-company/handbook"
    And visitor visits "/acme/more"
    Then no request went to the US region (RG-01)

  @req:Z-16
  Scenario: an unavailable cell is replaced by its neighbor
    Each pick may hit the cell that is down; twelve picks all miss it once in 4096 runs.
    Given a cold EU router
    And 12 paths with different prefixes
    And cell_eu0 refuses connections
    When visitor visits 12 paths with different cold prefixes
    Then no cell of the US region was asked first (Z-16)

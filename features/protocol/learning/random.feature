@protocol @learning
Feature: The random choice of whom to ask
  Each pre-flight goes to a cell of the router's own region, picked at random anew: a SHOULD, since another choice breaks
  nothing. Of 200 fair choices one of two cells gets fewer than 50 once in 3 * 10^12 runs, and one of three fewer than 20 once
  in 10^14.

  Background:
    Given the cells and people of the documents

  @req:LN-17
  @doc:routes-learning/project-signed-in:item-2
  Scenario Outline: under 200 cold prefixes
    Given a cold <region> router
    And 200 places under different prefixes
    When visitor visits 200 places under different cold prefixes
    Then each cell of the <region> region was asked first at least 50 times (LN-17)
    And no cell of the <other> region was asked first (LN-17)

    Examples:
      | region | other |
      | EU     | US    |
      | US     | EU    |

  @req:LN-17
  @doc:routes-learning/project-signed-in:item-2
  Scenario: 200 times about one path
    Given a cold EU router
    When visitor visits "/api/graphql" 200 times
    Then each cell of the EU region was asked first at least 50 times (LN-17)

  @req:LN-17
  @doc:routes-learning/project-signed-in:item-2
  Scenario: three cells to choose from
    Given a third cell in the EU region
    And a cold EU router
    And 200 places under different prefixes
    When visitor visits 200 places under different cold prefixes
    Then each cell of the EU region was asked first at least 20 times (LN-17)

  # Each draw may meet the cell that is down: twelve of them miss it once in 4096 runs.
  @req:LN-17
  @doc:routes-learning/project-signed-in:item-2
  Scenario: a cell that is down is replaced by its neighbour in the region
    Given a cold EU router
    And 12 places under different prefixes
    And cell_eu0 refuses connections
    When visitor visits 12 places under different cold prefixes
    Then no cell of the US region was asked first (LN-17)

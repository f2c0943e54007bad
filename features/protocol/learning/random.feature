@protocol @learning @document:routes-learning
Feature: The random choice of whom to ask
  Each pre-flight goes to a cell of the router's own region, picked at random anew. A fair choice between two cells stays
  above 50 of 200 but for once in 10^12 runs.

  Background:
    Given the cells and people of the documents

  @req:LN-17 @req:RG-01
  Scenario Outline: under 200 cold prefixes
    Given a cold <region> router
    And 200 places under different prefixes
    When visitor visits 200 places under different cold prefixes
    Then each cell of the <region> region was asked first at least 50 times (LN-17)
    And no cell of the <other> region was asked first (RG-01)

    Examples:
      | region | other |
      | EU     | US    |
      | US     | EU    |

  @req:LN-17
  Scenario: 200 times about one path
    Given a cold EU router
    When visitor visits "/api/graphql" 200 times
    Then each cell of the EU region was asked first at least 50 times (LN-17)

  @req:LN-17
  Scenario: three cells to choose from
    Given a third cell in the EU region
    And a cold EU router
    And 200 places under different prefixes
    When visitor visits 200 places under different cold prefixes
    Then each cell of the EU region was asked first at least 20 times (LN-17)

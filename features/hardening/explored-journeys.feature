@hardening
Feature: Journeys that exploration found

  A program made these journeys up and made them as short as they could be while a broken router still
  failed them. The model of the documents judges each exchange of them.

  @buffering @learning @req:Z-09
  Scenario: A place below another one's place is asked for first
    Given the installation of the cells "cell_us0, cell_us1, cell_eu0"
    And the namespace "acme" on cell_us1
    And the namespace "acme/site" on cell_eu0
    And a cold EU router
    When visitor sends the target "/acme/site/-/issues"
    And visitor sends the target "/acme"
    And visitor sends the target "/acme/site"
    Then the model of the documents permits every exchange (Z-09)

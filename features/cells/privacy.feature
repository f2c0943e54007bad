@cells @buffering
Feature: Private and missing are alike
  For somebody without access a private place does not exist: neither the page nor a field of the response tells.

  Background:
    Given the cells and people of the documents

  @req:PR-02 @req:PR-06
  @doc:buffering/private-project:arrow-3
  Scenario: the 404 for a private place
    Given anna is signed in
    When anna visits "/not-my-company/not-my-project" on cell_us1 directly
    Then anna gets status 404 (PR-06)
    And anna does not see the text "Not My Project" (PR-06)
    And the response to anna carries no field "X-Gitlab-Cell-Cache" (PR-02)

  @req:PR-03
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario Outline: the 404 for a place that does not exist
    Given anna is signed in
    And gabe is signed in
    When <person> visits "<private>" on <cell> directly
    And <person> visits "<missing>" on <cell> directly
    Then the last two responses were alike (PR-03)

    Examples:
      | private                        | missing                          | cell     | person |
      | /not-my-company/not-my-project | /no-such-company/no-such-project | cell_us1 | anna   |
      | /my-company/my-other-project   | /my-company/no-such-project      | cell_eu0 | gabe   |
      | /my-company                    | /no-such-company                 | cell_eu0 | gabe   |
      | /api/v4/projects/5101          | /api/v4/projects/999999          | cell_us1 | anna   |

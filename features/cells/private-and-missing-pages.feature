@cells @buffering
Feature: Private and missing pages are indistinguishable on cells
  For a user without access a private page does not exist. Neither the page nor a field of the
  response reveals it.

  Background:
    Given the cells and people of the documents

  @req:PR-02 @req:PR-06
  @doc:buffering/private-project:arrow-3
  Scenario: a private page is a 404 without a cache header
    Given anna is signed in
    When anna visits "/not-my-company/not-my-project" on cell_us1 directly
    Then anna gets status 404 (PR-06)
    And anna does not see the text "Not My Project" (PR-06)
    And the response to anna carries no field "X-Gitlab-Cell-Cache" (PR-02)

  @req:PR-03
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario Outline: a private page looks like the missing page <missing>
    Given anna is signed in
    And gabe is signed in
    When <person> visits "<private>" on <cell> directly
    And <person> visits "<missing>" on <cell> directly
    Then the last two responses were indistinguishable (PR-03)

    Examples:
      | private                        | missing                          | cell     | person |
      | /not-my-company/not-my-project | /no-such-company/no-such-project | cell_us1 | anna   |
      | /my-company/my-other-project   | /my-company/no-such-project      | cell_eu0 | gabe   |
      | /my-company                    | /no-such-company                 | cell_eu0 | gabe   |
      | /api/v4/projects/5101          | /api/v4/projects/999999          | cell_us1 | anna   |

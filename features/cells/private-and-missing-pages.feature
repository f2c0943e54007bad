@cells
Feature: Private and missing pages are indistinguishable on cells
  For a user without access a private page does not exist. Neither the page nor a field of the
  response reveals it. A visitor who is signed out is sent to sign-in from both (A-81).

  @buffering @req:PR-02
  @doc:buffering/private-project:arrow-3
  Scenario: a private page is a 404 without a cache header
    Given anna is signed in
    When anna visits "/not-my-company/not-my-project" on cell_us1 directly
    Then anna gets status 404 (PR-06)
    And anna does not see the text "Not My Project" (PR-06)
    And no response to a user carries the field "X-Gitlab-Cell-Cache" (PR-02)

  @buffering
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

  @buffering
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario Outline: a visitor cannot tell a private page from a missing one
    When visitor visits "<private>" on <cell> directly
    And visitor visits "<missing>" on <cell> directly
    Then the last two responses were indistinguishable (PR-03)

    Examples:
      | case              | private                        | missing                             | cell     |
      | no group          | /not-my-company/not-my-project | /no-such-company/no-such-project    | cell_us1 |
      | group elsewhere   | /not-my-company/not-my-project | /not-my-company/no-such-project     | cell_eu1 |
      | below public page | /my-company/my-other-project   | /my-company/handbook/no-such        | cell_eu0 |
      | organization      | /organizations/my-organization | /organizations/no-such-organization | cell_eu0 |
      | API               | /api/v4/projects/5101          | /api/v4/projects/999999             | cell_us1 |

  @learning
  @doc:routes-learning/timing-attack
  Scenario Outline: a visitor cannot tell a private page from a missing one at the <case>
    In learning a cell that is not the owner responds with 404, and visitors may meet it by a stale
    entry.
    When visitor visits "/not-my-company/not-my-project" on <cell> directly
    And visitor visits "/no-such-company/no-such-project" on <cell> directly
    Then the last two responses were indistinguishable (PR-03)

    Examples:
      | case         | cell     |
      | owner        | cell_us1 |
      | another cell | cell_eu0 |

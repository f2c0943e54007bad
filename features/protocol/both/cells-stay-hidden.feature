@protocol @buffering @learning
Feature: Users see organizations, not cells
  No page outside the Admin Area tells a user which cell served it, or whether a private page
  exists.

  @any-cache
  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: no page for a signed-in user names a cell
    Given a cold EU router
    And anna is signed in
    When anna visits "/my-company/my-project"
    And anna visits "/gitlab-org/gitlab"
    And anna visits "/organizations/my-organization/-/dashboard"
    And anna visits "/not-my-company/not-my-project"
    And anna visits "/"
    Then no page outside the Admin Area names a cell (RT-12)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (Z-37)

  @any-cache
  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: no page for a signed-out user names a cell
    Given a cold US router
    When visitor visits "/my-company/my-project"
    And visitor follows the redirect
    And visitor visits "/my-company/handbook"
    And visitor visits "/nobody/knows/this"
    Then no page outside the Admin Area names a cell (RT-12)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (Z-37)

  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: a private page looks like a missing one
    The journeys show the same for other paths. Here the missing path comes last, with its own
    status.
    Given a cold EU router
    And gabe is signed in
    When gabe visits "/my-company/my-project"
    And gabe visits "/no-such-company/no-such-project"
    Then the last two responses were indistinguishable (PR-03)
    And gabe gets status 404 (PR-06)
    And no page outside the Admin Area names a cell (PR-06)

  @any-cache
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: a cached private page looks like a missing one
    Given a cold EU router
    And nina is signed in
    And anna is signed in
    And nina visited "/not-my-company/not-my-project"
    When anna visits "/not-my-company/not-my-project"
    And anna visits "/no-such-company/no-such-project"
    Then the last two responses were indistinguishable (PR-03)

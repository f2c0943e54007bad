@protocol @buffering @learning
Feature: Users see organizations, never cells
  Nothing outside the Admin Area tells a user which cell served a page, or whether a private place exists.

  Background:
    Given the cells and people of the documents

  @req:RT-12 @any-cache
  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: no page names a cell
    Given a cold EU router
    And anna is signed in
    When anna visits "/my-company/my-project"
    And anna visits "/gitlab-org/gitlab"
    And anna visits "/organizations/my-organization/-/dashboard"
    And anna visits "/not-my-company/not-my-project"
    And anna visits "/"
    Then no page outside the Admin Area names a cell (RT-12)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (RT-12)

  @req:RT-12 @any-cache
  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: nor does a page for somebody who is not signed in
    Given a cold US router
    When visitor visits "/my-company/my-project"
    And visitor follows the redirect
    And visitor visits "/my-company/handbook"
    And visitor visits "/nobody/knows/this"
    Then no page outside the Admin Area names a cell (RT-12)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (RT-12)

  # The journeys show the same for other places; here the missing place comes last, with its own status.
  @req:PR-03 @req:PR-06
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: a private place and one that does not exist
    Given a cold EU router
    And gabe is signed in
    When gabe visits "/my-company/my-project"
    And gabe visits "/no-such-company/no-such-project"
    Then the last two responses were alike (PR-03)
    And gabe gets status 404 (PR-06)
    And no page outside the Admin Area names a cell (PR-06)

  @req:PR-03 @any-cache
  @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Scenario: a private place that the router knows already
    Given a cold EU router
    And nina is signed in
    And anna is signed in
    And nina visited "/not-my-company/not-my-project"
    When anna visits "/not-my-company/not-my-project"
    And anna visits "/no-such-company/no-such-project"
    Then the last two responses were alike (PR-03)

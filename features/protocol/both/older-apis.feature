@protocol @buffering @learning @any-cache
@doc:buffering/default-organization @doc:routes-learning/default-organization
Feature: Older APIs closed to members of an organization
  An installation may offer its members only the APIs below their organization. The router passes
  on what cells say.

  Background:
    Given older APIs are closed to members of an organization
    And a cold EU router

  Scenario Outline: a closed API returns the cell's 403 to a member
    Given anna is signed in
    When anna visits "<path>"
    Then anna gets status 403 (OR-08)
    And every user got a cell's response unchanged (OR-08)

    Examples:
      | case    | path                  |
      | REST    | /api/v4/projects/5001 |
      | GraphQL | /api/graphql          |

  Scenario: the API of an organization stays open to its member
    Given anna is signed in
    When anna visits "/api/organizations/my-organization/graphql"
    Then anna gets status 200 (OR-08)
    And anna sees the text "my-company/my-project" (OR-08)

  Scenario: an older API stays open to a legacy user
    Given gabe is signed in
    When gabe visits "/api/v4/projects/278964"
    Then gabe gets status 200 (OR-08)

@cells @buffering @learning
Feature: A single cell
  A self-managed installation of one cell needs no router and no other service. Users talk to the cell itself.

  Background:
    Given a fleet of one cell

  @req:SC-01 @req:SC-03
  Scenario: the login, without a router
    When anna visits "/my-company/my-project" on cell_us0 directly
    And anna visits "/users/sign_in?redirect=/my-company/my-project" on cell_us0 directly
    And anna signs in on cell_us0 directly
    And anna visits "/my-company/my-project" on cell_us0 directly
    Then anna sees the page "My Project" (SC-01)
    And no answer to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

  @req:SC-01 @req:SC-03
  Scenario Outline: whatever is there
    Given anna is signed in
    And gabe is signed in
    And nina is signed in
    And olga is signed in
    When <person> visits "<path>" on cell_us0 directly
    Then <person> sees the page "<page>" (SC-01)
    And no answer to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

    Examples:
      | path                                       | page                     | person |
      | /gitlab-org/gitlab                         | GitLab.org / GitLab      | gabe   |
      | /gitlab-org/gitlab-test                    | GitLab.org / GitLab Test | anna   |
      | /my-company/my-project                     | My Project               | anna   |
      | /my-company/handbook                       | Handbook                 | gabe   |
      | /not-my-company/not-my-project             | Not My Project           | nina   |
      | /organizations/my-organization/-/dashboard | My Company Dashboard     | anna   |
      | /dashboard                                 | Dashboard                | gabe   |
      | /admin/cells/cellus0/projects              | Admin Area               | olga   |

  @req:SC-03
  Scenario: what changes something
    Given anna is signed in
    When anna sends on cell_us0 directly:
      """
      POST /organizations/my-organization/groups
      Content-Type: application/json

      {"name": "acme", "path": "acme"}
      """
    And anna visits "/acme" on cell_us0 directly
    Then anna gets status 200 (SC-03)
    And no answer to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

  @req:SC-02
  Scenario: nothing else is asked
    When visitor visits "/gitlab-org/gitlab" on cell_us0 directly
    Then the exchange was (SC-02)
      """
      user->>cell_us0: GET /gitlab-org/gitlab
      cell_us0-->>user: 200
      """

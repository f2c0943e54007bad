@cells @buffering @doc:buffering/pros:item-6 @doc:routes-learning/pros:item-6
Feature: A single cell without a router
  A self-managed installation of one cell needs no router and no other service. The journeys show
  the flows. Here are paths that other cells would own, and writes.

  Background:
    Given the installation of the cell "cell_us0"

  Scenario Outline: the single cell serves <path>
    Given anna is signed in
    And gabe is signed in
    And nina is signed in
    And olga is signed in
    When <person> visits "<path>" on cell_us0 directly
    Then <person> sees the page "<page>" (SC-01)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

    Examples:
      | path                           | page           | person |
      | /my-company/handbook           | Handbook       | gabe   |
      | /not-my-company/not-my-project | Not My Project | nina   |
      | /dashboard                     | Dashboard      | gabe   |
      | /admin/cells/cellus0/projects  | Admin Area     | olga   |

  Scenario: the single cell serves a group created on it
    Given anna is signed in
    When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}' on cell_us0 directly
    And anna visits "/acme" on cell_us0 directly
    Then anna gets status 200 (SC-03)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

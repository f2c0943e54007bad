@protocol @learning @document:routes-learning
Feature: Places that are fixed to a cell
  Some endpoints belong to no organization and are pinned to one cell. The router goes where the answer says.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:LN-16 @req:AD-04
  Scenario: the Admin Area
    Given olga is signed in
    When olga visits "/admin"
    Then the exchange was (LN-16)
      """
      user->>router_eu: GET /admin
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/admin
      any_eu_cell-->>router_eu: 200 {path: "/admin", cell: "cell_us0", source: "fixed", exact: true}
      router_eu->>cell_us0: GET /admin
      cell_us0-->>user: 200
      """
    And cell_us0 answered last (AD-04)

  @req:AD-05
  Scenario Outline: a page of the Admin Area for one cell
    Given olga is signed in
    And olga visited "/admin"
    When olga visits "/admin/cells/<cell>/projects"
    Then the exchange was (AD-05)
      """
      user->>router_eu: GET /admin/cells/<cell>/projects
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/admin/cells/<cell>/projects
      any_eu_cell-->>router_eu: 200 {path: "/admin/cells/<cell>", cell: "<owner>", source: "fixed"}
      router_eu->><owner>: GET /admin/cells/<cell>/projects
      <owner>-->>user: 200
      """

    Examples:
      | cell     | owner    |
      | celleu1  | cell_eu1 |
      | cell_eu1 | cell_eu1 |
      | cellus1  | cell_us1 |
      | cell_0   | cell_us0 |

  @req:AD-05
  Scenario: the page for one cell is not that for another
    Given olga is signed in
    And olga visited "/admin/cells/cellus0/projects"
    When olga visits "/admin/cells/cellus1/projects"
    Then the exchange was (AD-05)
      """
      user->>router_eu: GET /admin/cells/cellus1/projects
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/admin/cells/cellus1/projects
      any_eu_cell-->>router_eu: 200 {path: "/admin/cells/cellus1", cell: "cell_us1", source: "fixed"}
      router_eu->>cell_us1: GET /admin/cells/cellus1/projects
      cell_us1-->>user: 200
      """

  @req:LN-20
  Scenario: the dashboard
    Given gabe is signed in
    When gabe visits "/dashboard"
    Then the exchange was (LN-20)
      """
      user->>router_eu: GET /dashboard
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
      any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "fixed", exact: true}
      router_eu->>cell_us0: GET /dashboard
      cell_us0-->>user: 200
      """

  @req:CA-13 @req:LN-20
  Scenario: the dashboard again, asked about or not
    Given gabe is signed in
    And gabe visited "/dashboard"
    When gabe visits "/dashboard"
    Then the exchange was (CA-13)
      """
      user->>router_eu: GET /dashboard
      opt the answer was not kept
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/dashboard
        any_eu_cell-->>router_eu: 200 {path: "/dashboard", cell: "cell_us0", source: "fixed", exact: true}
      end
      router_eu->>cell_us0: GET /dashboard
      cell_us0-->>user: 200
      """
    And cell_us0 answered last (LN-20)

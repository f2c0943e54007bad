@cells @buffering
Feature: Database tables of cells
  The shared tables have one primary in the US, and `routes` says which cell owns a path. A cell's
  own tables are on its own servers.

  @doc:buffering/changes:item-2 @doc:buffering/changes:item-4 @doc:routes-learning/changes:item-2 @doc:routes-learning/changes:item-4
  Rule: Table of routes

    Scenario Outline: the cell_id of a route is read on <cell>
      Given olga is signed in
      When olga visits "/admin/cells/<slug>/routes" on <cell> directly
      Then olga sees the text "/gitlab-org cell_id=cell_us0" (DB-02)
      And olga sees the text "/my-company cell_id=cell_eu0" (DB-02)
      And olga sees the text "/not-my-company cell_id=cell_us1" (DB-02)
      And <cell> read "gitlab_routes" from "replica <region>" alone (DB-02)

      Examples:
        | cell     | slug    | region |
        | cell_us0 | cellus0 | us     |
        | cell_us1 | cellus1 | us     |
        | cell_eu0 | celleu0 | eu     |
        | cell_eu1 | celleu1 | eu     |

    Scenario: a new group has a cell_id that the other region reads
      Given anna is signed in
      And olga is signed in
      When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}' on cell_eu0 directly
      And olga visits "/admin/cells/cellus1/routes" on cell_us1 directly
      Then olga sees the text "/acme cell_id=cell_eu0" (DB-02)

  @doc:buffering/diagrams-even-more-detail:drawing @doc:routes-learning/diagrams-even-more-detail:drawing
  Rule: Tables of one cell

    Scenario Outline: the pipelines of <path> are read from the cell's own gitlab_ci
      Given anna is signed in
      When anna visits "<path>" on <cell> directly
      Then anna sees the text "Pipelines: <pipelines>" (DB-04)
      And <cell> read "gitlab_ci" from "own <cell>" alone (DB-04)
      And <cell> read "gitlab_main" from "own <cell>" alone (DB-04)

      Examples:
        | path                   | cell     | pipelines |
        | /gitlab-org/gitlab     | cell_us0 | 4         |
        | /my-company/my-project | cell_eu0 | 2         |

    Scenario: the pipelines of a project are read by its owner only
      When visitor visits "/gitlab-org/gitlab" on cell_us1 directly
      And visitor visits "/gitlab-org/gitlab" on cell_eu0 directly
      Then cell_us1 did not read "gitlab_ci" (DB-04)
      And cell_eu0 did not read "gitlab_ci" (DB-04)

  Rule: Writes from Europe

    @doc:buffering/changes:item-9 @doc:routes-learning/changes:item-11
    Scenario: a write from Europe to the primary takes longer than one from the US
      Given a write from another region takes 200 ms to reach the primary
      And anna is signed in
      When anna sends POST "/groups" with the JSON '{"name": "near", "path": "near"}' on cell_us0 directly
      And anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "far", "path": "far"}' on cell_eu0 directly
      Then anna gets status 201 (RG-04)
      And the write of cell_eu0 to "gitlab_routes" took at least 200 ms longer than that of cell_us0 (RG-04)

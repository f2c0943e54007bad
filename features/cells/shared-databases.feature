@cells @buffering
Feature: Shared databases
  Users, routes and admin settings are shared. One primary in the US takes all writes, each region
  reads its own replica, and replicas may lag.

  Background:
    Given anna is signed in

  @doc:buffering/changes:item-9 @doc:routes-learning/changes:item-11
  Rule: Reads and writes

    @doc:buffering/database-configuration
    @doc:routes-learning/database-configuration
    Scenario Outline: a page is read from the replica of the region
      When anna visits "<path>" on <cell> directly
      Then <cell> read "gitlab_users" from "replica <region>" alone (RG-03)
      And <cell> read "gitlab_routes" from "replica <region>" alone (DB-05)

      Examples:
        | path                   | cell     | region |
        | /my-company/my-project | cell_eu0 | eu     |
        | /gitlab-org/gitlab     | cell_us0 | us     |

    Scenario: page visits write to no database
      Given gabe is signed in
      When anna visits "/my-company/my-project" on cell_eu0 directly
      And anna visits "/organizations/my-organization/-/dashboard" on cell_eu0 directly
      And gabe visits "/dashboard" on cell_us0 directly
      And visitor visits "/gitlab-org/gitlab" on cell_us0 directly
      And visitor visits "/users/sign_in" on cell_eu0 directly
      Then no database was written (RG-05)

    Scenario: a group created in Europe is written to the primary
      When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}' on cell_eu0 directly
      Then the write to "gitlab_routes" went to the primary (RG-04)
      And the path "/acme" belongs to cell_eu0 (NS-05)

  Rule: Shared routes

    @doc:buffering/new-namespace @doc:buffering/changes:item-2 @doc:buffering/changes:item-4
    @doc:routes-learning/new-namespace @doc:routes-learning/changes:item-2 @doc:routes-learning/changes:item-4
    Scenario: a new public group is known to every cell
      When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme", "visibility": "public"}' on cell_eu0 directly
      And every cell is asked about "/acme"
      Then every cell points to cell_eu0 (NS-05)
      And the write to "gitlab_routes" went to the primary (DB-02)

    @doc:buffering/changes:item-9 @doc:routes-learning/changes:item-11
    Scenario: a new group is unknown while the replica lags
      Given the replicas lag until they are released
      And gabe is signed in
      When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme", "visibility": "public"}' on cell_eu0 directly
      And gabe visits "/acme" on cell_eu1 directly
      Then gabe gets status 404 (DB-06)
      And the path "/acme" belongs to cell_eu0 (DB-06)

    @doc:buffering/new-namespace @doc:routes-learning/new-namespace
    Scenario: a new group is known once the replica has caught up
      Given the replicas lag until they are released
      When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme", "visibility": "public"}' on cell_eu0 directly
      And the replicas are released
      And every cell is asked about "/acme"
      Then every cell points to cell_eu0 (NS-05)

  Rule: Shared settings

    @doc:buffering/admin-settings @doc:buffering/changes:item-3 @doc:routes-learning/admin-settings @doc:routes-learning/changes:item-3
    Scenario Outline: a setting made on one cell is read on another
      Given olga is signed in
      When olga sends POST "/admin/cells/cellus0/settings" with the form "elasticsearch_url=http%3A%2F%2Fnew.example%3A9200" on cell_us0 directly
      And olga visits "/admin/cells/<slug>/settings" on <cell> directly
      Then olga sees the text "http://new.example:9200" (AD-08)
      And olga does not see the text "search.%{cell}.internal" (AD-12)
      And the write to "gitlab_admin" went to the primary (DB-03)

      Examples:
        | cell     | slug    |
        | cell_us1 | cellus1 |
        | cell_eu0 | celleu0 |

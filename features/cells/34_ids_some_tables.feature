@cells
Feature: Unique ids for some tables (database sequences, 3.4)
  Only projects, groups and users have ids of the whole installation. Merge requests and notes count
  on each cell; from outside, a merge request is named by its project and its IID.

  Background:
    Given only top-level rows have unique ids
    And anna is signed in

  @buffering
  Rule: Ids of the tables

    @doc:database-sequences/some-tables
    Scenario: projects are unique on all cells
      When every cell inserts 25 rows into "projects" at once
      Then 100 ids of "projects" were drawn, none twice (ID-40)

    @doc:database-sequences/some-tables:item-1
    Scenario: merge request 10000 exists on every cell
      Given ids that are unique on a cell begin with 10000
      When every cell inserts 1 row into "merge_requests" at once
      Then 4 cells drew the id "local:10000" of "merge_requests" (ID-41)

    @doc:database-sequences/some-tables
    Scenario: IIDs rise within a project
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "First"}' on cell_eu0 directly
      And cell_eu0 inserts 7 rows into "merge_requests"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Second"}' on cell_eu0 directly
      Then anna gets the record with the "iid" "2" (ID-42)

  @buffering @learning
  Rule: Rows found by their ids

    @doc:database-sequences/some-tables:item-2
    Scenario: a bare local id leads to no cell
      Given a cold EU router
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And every cell inserts 3 rows into "merge_requests" at once
      And anna visits "/api/v4/merge_requests/{id}" of the last record
      Then anna gets status 404 (ID-43)

    @doc:database-sequences/some-tables:item-2
    Scenario: project and local id together lead to the row
      Given a cold US router
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And anna visits "/api/v4/projects/5001/merge_requests/id/{id}" of the last record
      Then anna gets the record with the "title" "Fix the login" (ID-43)
      And cell_eu0 responded last (ID-43)

    @doc:database-sequences/some-tables:item-3
    Scenario: a move gives fresh ids and rewrites what refers to them
      Given a cold EU router
      When cell_us1 inserts 5 rows into "merge_requests"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And anna sends POST "/api/v4/projects/5001/merge_requests/1/notes" with the JSON '{"body": "Looks good"}' on cell_eu0 directly
      And the organization "my-organization" moves to cell_us1
      And anna visits "/api/v4/projects/5001/merge_requests/1/notes"
      Then the move gave fresh ids to 2 rows (ID-44)
      And 3 foreign keys led to a row before the move and after it (ID-44)
      And anna sees the text "Looks good" (ID-44)
      And cell_us1 responded last (ID-44)

    @doc:database-sequences/some-tables:item-4
    Scenario: a link by a former id shows no row of another project
      Given a cold EU router
      When cell_us1 inserts 5 rows into "merge_requests"
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And the organization "my-organization" moves to cell_us1
      And anna visits "/api/v4/projects/5001/merge_requests/id/{id}" of the last record
      Then anna gets status 404 (ID-45)

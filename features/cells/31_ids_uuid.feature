@cells
Feature: UUIDs as ids (database sequences, 3.1)
  Each row has a UUID next to a number that counts on its cell alone. A number that was in use before
  still leads to its row, or to none, as the plan says.

  Background:
    Given rows have UUIDs beside their numbers
    And anna is signed in
    And gabe is signed in

  @buffering
  Rule: UUIDs of new rows

    @doc:database-sequences/uuid
    Scenario: new rows carry a UUID of RFC 9562
      When every cell inserts 25 rows into "projects" at once
      Then every UUID is one of RFC 9562 (ID-10)
      And 100 ids of "projects" were drawn, none twice (ID-01)

    @doc:database-sequences/uuid:item-1
    Scenario: new rows of each table have a UUID
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And anna sends POST "/api/v4/projects/5001/merge_requests/1/notes" with the JSON '{"body": "Looks good"}' on cell_eu0 directly
      And cell_eu0 inserts 1 row into "users"
      And cell_eu0 inserts 1 row into "namespaces"
      And cell_eu0 inserts 1 row into "projects"
      Then anna gets status 201 (ID-11)
      And every UUID is one of RFC 9562 (ID-11)

  @buffering @learning
  Rule: Rows found by their ids

    Background:
      Given a cold EU router

    @doc:database-sequences/uuid
    Scenario: a router reaches the owner by UUID
      When gabe sends POST "/api/v4/projects" with the JSON '{"namespace_id": 9970, "path": "by-uuid"}' on cell_us0 directly
      And gabe visits "/api/v4/projects/{uuid}" of the last record
      Then gabe gets the record with the "path_with_namespace" "gitlab-org/by-uuid" (ID-10)
      And cell_us0 responded last (ID-10)

    @doc:database-sequences/uuid:item-1
    Scenario: an old numeric id still finds its row
      When anna visits "/api/v4/projects/5001"
      Then anna gets the record with the "path_with_namespace" "my-company/my-project" (ID-11)

    @doc:database-sequences/uuid:item-1
    Scenario: an old numeric id finds no row where the plan says so
      Given numbers lead to no row any more
      When anna visits "/api/v4/projects/5001"
      Then anna gets status 404 (ID-11)

    @doc:database-sequences/uuid:item-1
    Scenario: an existing row has a UUID too
      When anna visits "/api/v4/projects/5001"
      Then anna gets the record with the "path_with_namespace" "my-company/my-project" (ID-11)
      And anna sees the text '"uuid":"' (ID-11)

    @doc:database-sequences/uuid:item-1
    Scenario: the number of a new row leads to no row
      When every cell inserts 3 rows into "projects" at once
      And gabe visits "/api/v4/projects/2"
      Then gabe gets status 404 (ID-11)

    @doc:database-sequences/introduction
    Scenario: a UUID survives a move
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And the organization "my-organization" moves to cell_us1
      And anna visits "/api/v4/merge_requests/{uuid}" of the last record
      Then anna gets the record with the "title" "Fix the login" (ID-05)
      And cell_us1 responded last (ID-05)
      And the move gave fresh ids to 0 rows (ID-05)

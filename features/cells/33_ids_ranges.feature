@cells
Feature: Ids from ranges (database sequences, 3.3)
  Each cell gets ranges of ids from a central place, for each table by itself, and a further range
  when one is used up. The size of a range is the plan's; the documents name none.

  Background:
    Given cells draw ids from ranges of 10
    And anna is signed in
    And gabe is signed in

  @buffering
  Rule: Ranges of the cells

    @doc:database-sequences/ranges
    Scenario: a range of ten and 25 inserts make three disjoint ranges
      When cell_eu0 inserts 25 rows into "merge_requests"
      Then cell_eu0 used 3 ranges of "merge_requests" (ID-31)
      And 25 ids of "merge_requests" were drawn, none twice (ID-31)
      And every id lies in a range of its cell (ID-30)

    @doc:database-sequences/ranges
    Scenario: each table has its own ranges
      When cell_eu0 inserts 5 rows into "projects"
      And cell_eu0 inserts 5 rows into "merge_requests"
      And cell_eu0 inserts 5 rows into "projects"
      And cell_eu0 inserts 5 rows into "merge_requests"
      Then cell_eu0 used 1 range of "projects" (ID-32)
      And cell_eu0 used 1 range of "merge_requests" (ID-32)

    @doc:database-sequences/ranges:item-5
    Scenario: cells that insert at the same time get different ranges
      When every cell inserts 25 rows into "projects" at once
      Then 100 ids of "projects" were drawn, none twice (ID-37)
      And no two ranges of a table overlap (ID-37)

    @doc:database-sequences/ranges:item-3
    Scenario: an id of a range fits into 32 bits
      When every cell inserts 10 rows into "namespaces" at once
      Then 40 ids of "namespaces" were drawn, none twice (ID-01)
      And the ids of "namespaces" fit into 32 bits (ID-35)

  @buffering
  Rule: Trouble at the central place

    @doc:database-sequences/ranges:item-4
    Scenario: a slow allocator holds up the insert
      When the allocator of ids takes 100 ms for an answer
      And gabe sends POST "/api/v4/projects" with the JSON '{"namespace_id": 9970, "path": "slow", "visibility": "public"}' on cell_us0 directly
      Then gabe gets status 201 (ID-36)
      And the response to gabe took at least 100 ms (ID-36)

    @doc:database-sequences/ranges:item-4
    Scenario: a stopped allocator fails the insert cleanly
      When the allocator of ids stops
      And gabe sends POST "/api/v4/projects" with the JSON '{"namespace_id": 9970, "path": "stopped", "visibility": "public"}' on cell_us0 directly
      Then gabe gets status 503 (ID-38)

    @doc:database-sequences/ranges:item-4
    Scenario: a stopped allocator that starts again gives the next insert its id
      When every cell inserts 10 rows into "projects" at once
      And the allocator of ids stops
      And gabe sends POST "/api/v4/projects" with the JSON '{"namespace_id": 9970, "path": "once-more", "visibility": "public"}' on cell_us0 directly
      And the allocator of ids starts again
      And gabe sends POST "/api/v4/projects" with the JSON '{"namespace_id": 9970, "path": "once-more", "visibility": "public"}' on cell_us0 directly
      And gabe visits "/api/v4/projects/{id}" of the last record on cell_us0 directly
      Then gabe gets the record with the "path_with_namespace" "gitlab-org/once-more" (ID-38)
      And 41 ids of "projects" were drawn, none twice (ID-38)

    @doc:database-sequences/ranges:item-5
    Scenario: a crash after the counter has moved leaves a gap
      When cell_us0 inserts 10 rows into "projects"
      And the allocator of ids crashes once after its counter has moved
      And gabe sends POST "/api/v4/projects" with the JSON '{"namespace_id": 9970, "path": "crashed", "visibility": "public"}' on cell_us0 directly
      And cell_us0 inserts 1 row into "projects"
      Then gabe gets status 503 (ID-37)
      And the last id was drawn 11 ids after the one before (ID-37)
      And no two ranges of a table overlap (ID-37)

    @doc:database-sequences/ranges:item-4
    Scenario: a refill ahead of need keeps inserts from waiting
      Given a cell asks for its next range when 5 ids are left
      When cell_eu0 inserts 6 rows into "merge_requests"
      And the allocator of ids stops
      And cell_eu0 inserts 14 rows into "merge_requests"
      Then 20 ids of "merge_requests" were drawn, none twice (ID-36)

  @buffering @learning
  Rule: Rows found by their ids

    @doc:database-sequences/ranges
    Scenario Outline: the record of ranges finds the cell of a merge request
      Given a cold <region> router
      When every cell inserts 15 rows into "merge_requests" at once
      And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And anna visits "/api/v4/merge_requests/{id}" of the last record
      Then anna gets the record with the "title" "Fix the login" (ID-33)
      And cell_eu0 responded last (ID-33)

      Examples:
        | region |
        | EU     |
        | US     |

    @doc:database-sequences/ranges:item-1 @doc:database-sequences/ranges:item-2
    Scenario: a moved row is found although its range misleads
      Given a cold EU router
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And the organization "my-organization" moves to cell_us1
      And anna visits "/api/v4/merge_requests/{id}" of the last record
      Then anna gets the record with the "title" "Fix the login" (ID-34)
      And cell_us1 responded last (ID-34)
      And the move gave fresh ids to 0 rows (ID-05)

@cells
Feature: Ids that carry the number of their cell (database sequences, 3.2)
  Ten bits below the sign bit name the cell that drew an id. It is this fleet's choice of the four
  strategies, since the documents choose none. Existing rows have ids without such bits, as if the
  original cell, which has the number 0, had drawn them.

  Background:
    Given ids carry the number of their cell
    And anna is signed in

  @buffering
  Rule: Bits of the cell

    @doc:database-sequences/cell-in-id
    Scenario: the top bits of an id name the cell that drew it
      When every cell inserts 10 rows into "projects" at once
      Then every id names the cell that drew it (ID-20)
      And 40 ids of "projects" were drawn, none twice (ID-01)

    @doc:database-sequences/cell-in-id:item-1
    Scenario: ten bits name cell 1023
      Given cell_eu1 has the number 1023 in ids
      When cell_eu1 inserts 3 rows into "namespaces"
      Then every id names the cell that drew it (ID-21)

    @doc:database-sequences/cell-in-id:item-2
    Scenario: no cell gives out the id of a row that moved away
      Given cell_eu0 has the number 1 in ids
      And cell_us1 has the number 100 in ids
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And the organization "my-organization" moves to cell_us1
      And cell_eu0 inserts 20 rows into "merge_requests"
      And cell_us1 inserts 20 rows into "merge_requests"
      Then 41 ids of "merge_requests" were drawn, none twice (ID-22)

  @buffering @learning
  Rule: Requests by such ids

    @doc:database-sequences/cell-in-id:item-4
    Scenario: an id above 2^53 comes through JSON and the router unharmed
      Given a cold EU router
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
      And anna visits "/api/v4/merge_requests/{id}" of the last record
      Then anna gets the record with the "title" "Fix the login" (ID-24)
      And every user got a cell's response unchanged (ID-24)

    @doc:database-sequences/cell-in-id:item-2 @doc:database-sequences/cell-in-id:item-3
    Scenario Outline: the lookup table overrules the bits of a moved row
      Given cell_eu0 has the number 1 in ids
      And cell_us1 has the number 100 in ids
      And a cold <region> router
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And the organization "my-organization" moves to cell_us1
      And anna visits "/api/v4/merge_requests/{id}" of the last record
      Then anna gets the record with the "title" "Fix the login" (ID-23)
      And cell_us1 responded last (ID-23)
      And the move gave fresh ids to 0 rows (ID-05)

      Examples:
        | region |
        | EU     |
        | US     |

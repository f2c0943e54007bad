Feature: What the strategies of ids permit
  The shortest counterexamples of the model of ids, played on the fleet. They show what each strategy
  itself permits, and judge no router.

  @buffering @req:ID-44 @doc:database-sequences/some-tables:item-3
  Scenario: a link by a former id meets another row after a move
    Given only top-level rows have unique ids
    And anna is signed in
    And a cold EU router
    When cell_us1 inserts 1 row into "merge_requests"
    And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
    And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Mend the search"}'
    And the organization "my-organization" moves to cell_us1
    And anna visits "/api/v4/projects/5001/merge_requests/id/{id}" of the last record
    Then anna gets the record with the "title" "Fix the login" (ID-44)

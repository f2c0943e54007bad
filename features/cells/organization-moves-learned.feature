@cells @learning @doc:routes-learning/migration @doc:routes-learning/organization-moved
Feature: Organizations move behind a learning router
  A learning router may send a request to the former owner for one lifetime of its entry. Whatever
  it does, no acknowledged write is lost and no two cells take writes.

  Background:
    Given cache entries live 400 ms
    And anna is signed in
    And a cold EU router

  Scenario Outline: a learning router converges after a write in <phase>
    When the move of "my-organization" to cell_us1 runs through "<phase>"
    And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
    And the move of "my-organization" to cell_us1 runs through "clean up"
    And the entries' time to live passes
    And anna visits "/api/v4/projects/5001/merge_requests"
    Then anna sees the text "Fix the login" (MV-01)
    And cell_us1 responded last (TD-03)
    And no two cells took writes of one organization (MV-06)

    Examples:
      | phase    |
      | announce |
      | copy     |
      | thaw     |

  @doc:routes-learning/migration:item-1 @doc:routes-learning/migration:item-2
  @doc:routes-learning/migration:item-3 @doc:routes-learning/migration:item-4
  Scenario Outline: a move behind a learning router takes along <store>
    When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
    And anna sends POST "/api/v4/projects/5001/repository/branches" with the JSON '{"branch": "mend-the-login"}' on cell_eu0 directly
    And the move of "my-organization" to cell_us1 runs through "clean up"
    And anna visits "/api/v4/projects/5001<page>"
    Then anna sees the text '<text>' (MV-04)
    And cell_us1 responded last (MV-04)

    Examples:
      | store          | page                 | text                      |
      | rows           | /merge_requests      | "title":"Fix the login"   |
      | Redis state    | /statistics          | "merge_requests_opened":1 |
      | repositories   | /repository/branches | "name":"mend-the-login"   |
      | search indexes | /search?search=login | "title":"Fix the login"   |

  Scenario: a frozen cell behind a learning router says when to try again
    When the move of "my-organization" to cell_us1 runs through "freeze"
    And anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}'
    Then the exchange was (MV-03)
      """
      user->>router_eu: POST /api/v4/projects/5001/merge_requests
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/api/v4/projects/5001/merge_requests
      any_eu_cell-->>router_eu: 200
      router_eu->>cell_eu0: POST /api/v4/projects/5001/merge_requests
      cell_eu0-->>user: 503 Retry-After=1
      """

  Scenario Outline: an upload of <bytes> bytes finds the new owner though the old cell is gone
    Given nina is signed in
    And nina visited "/not-my-company/not-my-project"
    When the move of "not-my-organization" to cell_eu0 runs through "clean up"
    And cell_us1 goes down
    And the entries' time to live passes
    And nina sends PUT "/not-my-company/not-my-project/" with <bytes> random bytes
    Then nina gets the response of cell_eu0 (TD-03)

    Examples:
      | bytes   |
      | 4096    |
      | 2000000 |

  Scenario: an upload in the frozen moment is told when to try again
    Given anna visited "/my-company/my-project"
    When the move of "my-organization" to cell_us1 runs through "freeze"
    And anna sends PUT "/my-company/my-project/" with 2000000 random bytes
    Then the exchange was (MV-03)
      """
      user->>router_eu: PUT /my-company/my-project/
      opt a router that learns for each method
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=PUT&path_info=/my-company/my-project/
        any_eu_cell-->>router_eu: 200
      end
      router_eu->>cell_eu0: PUT /my-company/my-project/
      cell_eu0-->>user: 503 Retry-After=1
      """

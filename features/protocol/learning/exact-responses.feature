@protocol @learning @doc:routes-learning/pre-flight:item-2
Feature: Exact learn responses
  With `"exact": true` a learn response is about this very path. The namespace around it lives on
  another cell.

  Background:
    Given the namespace "/tools" on cell_us0
    And the exact route "/tools/profile" on cell_us1
    And a cold EU router

  @late
  Scenario: an exact response covers its own path
    When visitor visits "/tools/profile"
    And visitor visits "/tools/profile"
    And visitor visits "/tools/profile?page=2"
    Then the exchange was (LN-06)
      """
      user->>router_eu: GET /tools/profile
      %% choice LN-17
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/tools/profile
      any_eu_cell-->>router_eu: 200
      router_eu->>cell_us1: GET /tools/profile
      cell_us1-->>user: 200
      user->>router_eu: GET /tools/profile
      router_eu->>cell_us1: GET /tools/profile
      cell_us1-->>user: 200
      user->>router_eu: GET /tools/profile?page=2
      router_eu->>cell_us1: GET /tools/profile?page=2
      cell_us1-->>user: 200
      """

  Scenario Outline: an exact response does not cover <path>
    Given visitor visited "/tools/profile"
    When visitor visits "<path>"
    Then the visit went to cell_us0 as on a cold cache (LN-06)

    Examples:
      | path                |
      | /tools/profile/     |
      | /tools/profile/keys |
      | /tools/profiles     |

  Scenario: the exact profile page of the proposal is cached
    Given gabe is signed in
    And gabe visited "/-/profile"
    When gabe visits "/-/profile"
    And gabe visits "/-/profile/"
    Then there was one pre-flight (LN-06)
    And the pre-flight asked about "/-/profile/" with the method GET (LN-06)

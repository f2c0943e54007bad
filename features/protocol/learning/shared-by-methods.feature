@protocol @learning @document:routes-learning
Feature: One answer for all methods
  What was learnt for a GET holds for the POST that follows, and the other way round.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:LN-19 @req:LN-21
  Scenario: sign-in is learnt once
    When anna visits "/users/sign_in?redirect=/my-company/my-project"
    And anna signs in
    Then the exchange was (LN-19)
      """
      user->>router_eu: GET /users/sign_in?redirect=/my-company/my-project
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/users/sign_in
      any_eu_cell-->>router_eu: 200 {path: "/users", cell: "cell_eu0", source: "fixed"}
      router_eu->>cell_eu0: GET /users/sign_in?redirect=/my-company/my-project
      cell_eu0-->>user: 200
      %% LN-21 the POST learns nothing
      user->>router_eu: POST /users/sign_in?redirect=/my-company/my-project
      router_eu->>cell_eu0: POST /users/sign_in?redirect=/my-company/my-project
      cell_eu0-->>user: 302 /my-company/my-project
      """

  @req:LN-19
  Scenario: the router obeys when sign-in is fixed elsewhere
    Given the sign-in page is fixed on cell_us0
    When anna visits "/users/sign_in"
    And anna signs in
    Then the exchange was (LN-19)
      """
      user->>router_eu: GET /users/sign_in
      router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/users/sign_in
      any_eu_cell-->>router_eu: 200 {path: "/users", cell: "cell_us0", source: "fixed"}
      router_eu->>cell_us0: GET /users/sign_in
      cell_us0-->>user: 200
      user->>router_eu: POST /users/sign_in
      router_eu->>cell_us0: POST /users/sign_in
      cell_us0-->>user: 302
      """

  @req:LN-21
  Scenario Outline: one method after another
    Given the namespace "/acme" on cell_us1
    When visitor sends <first> "/acme/things"
    And visitor sends <second> "/acme/things"
    Then there was one pre-flight (LN-21)
    And cell_us1 answered last (LN-21)
    And every request reached exactly one cell (LN-21)

    Examples:
      | methods         | first | second |
      | GET then POST   | GET   | POST   |
      | GET then DELETE | GET   | DELETE |
      | HEAD then PUT   | HEAD  | PUT    |
      | POST then GET   | POST  | GET    |

  @req:LG-07 @req:LG-06
  Scenario: what was learnt before the login holds after it
    Given anna visited "/my-company/my-project"
    When anna visits "/users/sign_in?redirect=/my-company/my-project"
    And anna signs in
    And anna follows the redirect
    Then the last exchange was (LG-07)
      """
      user->>router_eu: GET /my-company/my-project
      router_eu->>cell_eu0: GET /my-company/my-project
      cell_eu0-->>user: 200
      """
    And the last request reached exactly one cell (LG-06)

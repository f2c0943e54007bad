@cells @learning
Feature: The learn endpoint of every cell
  The learn endpoint of each cell responds for the whole installation, whoever asks.

  @doc:routes-learning/changes:item-10
  Scenario Outline: the learn response for <path> is the same on every cell
    When every cell is asked about "<path>"
    Then every cell gave the same response (LN-08)
    And every cell points to <cell> (LN-14)

    Examples:
      | path                                       | cell     |
      | /gitlab-org/gitlab-test/-/issues           | cell_us0 |
      | /my-company/my-project                     | cell_eu0 |
      | /organizations/not-my-organization/groups  | cell_us1 |
      | /api/organizations/my-organization/graphql | cell_eu0 |
      | /api/v4/projects/5101                      | cell_us1 |
      | /api/v4/projects/my-company%2Fmy-project   | cell_eu0 |
      | /users/sign_in                             | cell_eu0 |
      | /dashboard                                 | cell_us0 |
      | /admin/cells/celleu1/projects              | cell_eu1 |

  @doc:routes-learning/changes:item-10
  Scenario Outline: the learn endpoint of <cell> responds about a <method>
    When visitor visits "/api/v4/internal/cells/learn?method=<method>&path_info=/not-my-company/x" on <cell> directly
    Then visitor gets status 200 (LN-09)
    And visitor sees the text '"cell":"cell_us1"' (LN-09)
    And visitor sees the text '"path":"/not-my-company"' (LN-09)
    And no database was written (LN-09)

    Examples:
      | cell     | method |
      | cell_us0 | POST   |
      | cell_us1 | PUT    |
      | cell_eu0 | DELETE |
      | cell_eu1 | GET    |

  @doc:routes-learning/changes:item-10
  Scenario Outline: the learn response without an owner is the same on every cell
    When every cell is asked about "<path>"
    Then every cell gave the same response (LN-08)

    Examples:
      | case         | path               |
      | root         | /                  |
      | unknown path | /nobody/knows/this |
      | GraphQL      | /api/graphql       |

  @doc:routes-learning/changes:item-10
  Scenario: the learn endpoint knows a new group at once
    Given anna is signed in
    When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}' on cell_eu0 directly
    And every cell is asked about "/acme"
    Then every cell points to cell_eu0 (LN-08)

  @doc:routes-learning/pre-flight:item-1
  Scenario Outline: a learn response of source <source> names the cell
    When visitor visits "/api/v4/internal/cells/learn?method=GET&path_info=<path>" on cell_eu1 directly
    Then visitor gets status 200 (LN-04)
    And visitor sees the text "cell_eu0" (LN-04)
    And visitor sees the text "<source>" (LN-07)
    And visitor does not see the text "<other>" (LN-07)

    Examples:
      | path                   | source   | other    |
      | /my-company/my-project | routable | fixed    |
      | /users/sign_in         | fixed    | routable |

  @doc:routes-learning/pre-flight
  Scenario: the learn response is the same for users with and without access
    Given anna is signed in
    And nina is signed in
    When anna visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project" on cell_eu1 directly
    And nina visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project" on cell_eu1 directly
    Then the last two responses were indistinguishable (LN-23)
    And nina gets status 200 (LN-23)

  @doc:routes-learning/pre-flight
  Scenario: the learn response is the same for a signed-out visitor
    Given nina is signed in
    When nina visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project" on cell_us0 directly
    And visitor visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project" on cell_us0 directly
    Then the last two responses were indistinguishable (LN-23)

  @doc:routes-learning/changes:item-8
  Scenario: the global dashboard redirects to one with a scope
    Given anna is signed in
    When anna visits "/dashboard" on cell_us0 directly
    Then anna is redirected to "/organizations/my-organization/-/dashboard" (LN-15)

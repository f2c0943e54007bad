@cells @buffering
Feature: Sessions across cells
  Any cell can authenticate any user. A session made on one cell is known to all, and so is its
  end.

  @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario Outline: a session is valid on <cell>
    Given anna is signed in
    When anna visits "/" on <cell> directly
    Then anna is redirected to "/organizations/my-organization/-/dashboard" (RT-13)
    And no database was written (SE-01)

    Examples:
      | cell     |
      | cell_us0 |
      | cell_eu1 |

  @doc:buffering/project-signed-out @doc:routes-learning/project-signed-out
  Scenario: a session made on one cell is valid on another
    When nina visits "/users/sign_in" on cell_eu0 directly
    And nina signs in on cell_eu0 directly
    And nina visits "/not-my-company/not-my-project" on cell_us1 directly
    Then nina sees the page "Not My Project" (LG-05)

  @doc:buffering/project-signed-out @doc:routes-learning/project-signed-out
  Scenario: a login leads back to the page that was asked for
    When anna visits "/users/sign_in?redirect=/my-company/my-project" on cell_eu0 directly
    And anna signs in on cell_eu0 directly
    And anna follows the redirect on cell_eu0 directly
    Then anna sees the page "My Project" (LG-03)

  @doc:buffering/changes:item-1 @doc:routes-learning/changes:item-1
  Scenario Outline: a token is valid on every cell
    When visitor sends on <cell> directly:
      """
      GET /api/v4/projects/<id>
      Private-Token: <token>

      """
    Then visitor gets status <status> (DB-01)

    Examples:
      | case                  | id   | cell     | token      | status |
      | project in Europe     | 5001 | cell_eu0 | glpat-anna | 200    |
      | project in the US     | 5101 | cell_us1 | glpat-nina | 200    |
      | token without access  | 5101 | cell_us1 | glpat-anna | 404    |
      | token of the operator | 5001 | cell_eu0 | glpat-olga | 200    |

  @doc:buffering/changes:item-1 @doc:routes-learning/changes:item-1
  Scenario Outline: a login on a cell of another region succeeds for <person>
    When <person> visits "/users/sign_in?redirect=<path>" on cell_eu0 directly
    And <person> signs in on cell_eu0 directly
    Then <person> is redirected to "<path>" (DB-01)

    Examples:
      | person | path                           |
      | nina   | /not-my-company/not-my-project |
      | gabe   | /dashboard                     |

  @doc:buffering/changes:item-1 @doc:routes-learning/changes:item-1
  Scenario Outline: a user is read from the shared database
    Given anna is signed in
    When anna visits "/" on <cell> directly
    Then <cell> read "gitlab_users" from "replica <region>" alone (DB-01)

    Examples:
      | cell     | region |
      | cell_eu1 | eu     |
      | cell_us1 | us     |

  @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario Outline: a sign-out ends the session on every cell
    Given anna is signed in
    And cell_eu0 sets "Set-Cookie: left=over; Path=/" on its response to "/users/sign_out"
    When anna sends POST "/users/sign_out" on cell_eu0 directly
    And anna visits "/" on <cell> directly
    Then anna is redirected to "/users/sign_in?redirect=/" (SE-05)

    Examples:
      | cell     |
      | cell_us1 |
      | cell_eu0 |

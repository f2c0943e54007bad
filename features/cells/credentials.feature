@cells @buffering
Feature: Sessions, passwords and tokens on all cells
  A session, a password and a token belong to the user and not to a cell. A change on one cell
  takes effect on all of them.

  Rule: Shared sessions

    @doc:buffering/sessions @doc:routes-learning/sessions
    Scenario: one session is valid on every cell and stays the same
      Given anna is signed in
      When anna visits "/" on cell_eu0 directly
      And anna visits "/" on cell_us0 directly
      And anna visits "/" on cell_eu1 directly
      And anna visits "/" on cell_us1 directly
      Then the exchange was (SE-01)
        """
        user->>cell_eu0: GET /
        cell_eu0-->>user: 302 /organizations/my-organization/-/dashboard without Set-Cookie
        user->>cell_us0: GET /
        cell_us0-->>user: 302 /organizations/my-organization/-/dashboard without Set-Cookie
        user->>cell_eu1: GET /
        cell_eu1-->>user: 302 /organizations/my-organization/-/dashboard without Set-Cookie
        user->>cell_us1: GET /
        cell_us1-->>user: 302 /organizations/my-organization/-/dashboard without Set-Cookie
        """

  Rule: Password changes

    @doc:buffering/sessions @doc:routes-learning/sessions
    Scenario Outline: a password change ends the other sessions on every cell
      Given anna is signed in
      And visitor is signed in as anna
      When visitor visits "/" on <cell> directly
      And anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us0 directly
      And visitor visits "/" on <cell> directly
      Then the exchange was (SE-05)
        """
        visitor->><cell>: GET /
        <cell>-->>visitor: 302 /organizations/my-organization/-/dashboard
        anna->>cell_us0: POST /-/user_settings/password
        cell_us0-->>anna: 302 /-/user_settings
        visitor->><cell>: GET /
        <cell>-->>visitor: 302 /users/sign_in?redirect=/
        """

      Examples:
        | cell     |
        | cell_us0 |
        | cell_us1 |
        | cell_eu0 |
        | cell_eu1 |

  Rule: Shared tokens

    @doc:buffering/changes:item-1 @doc:routes-learning/changes:item-1
    Scenario Outline: a token made on one cell is valid on another
      Given <person> is signed in
      When <person> sends POST "/-/user_settings/personal_access_tokens" on <maker> directly
      And visitor visits "/api/v4/projects/<id>" on <cell> directly with the token on the last page of <person>
      Then visitor gets status 200 (DB-01)

      Examples:
        | case                            | person | maker    | id   | cell     |
        | legacy cell and owner in Europe | anna   | cell_us0 | 5001 | cell_eu0 |
        | legacy cell and owner in the US | nina   | cell_us0 | 5101 | cell_us1 |
        | made in Europe, used in the US  | nina   | cell_eu0 | 5101 | cell_us1 |
        | made in the US, used in Europe  | anna   | cell_us1 | 5001 | cell_eu0 |

  Rule: Shared profiles

    @doc:buffering/changes:item-1 @doc:routes-learning/changes:item-1
    Scenario Outline: a profile written in Europe is read on <cell>
      Given anna is signed in
      When anna sends POST "/-/profile" with the form "status=On+vacation" on cell_eu0 directly
      And anna visits "/-/profile" on <cell> directly
      Then anna sees the text 'value="On vacation"' (DB-01)
      And the write to "gitlab_users" went to the primary (DB-01)

      Examples:
        | cell     |
        | cell_eu1 |
        | cell_us1 |

@cells @buffering @doc:buffering/sessions @doc:routes-learning/sessions
Feature: Sessions in one store
  All regions have one store of sessions in common, as they have `gitlab_users`. It is written in
  the region of its primary, and read from a replica in each region.

  Background:
    Given sessions are kept in one store with replicas

  Scenario Outline: a session of the one store is read near <cell>
    Given anna is signed in
    When anna visits "/" on <cell> directly
    Then anna is redirected to "/organizations/my-organization/-/dashboard" (SE-02)
    And <cell> read "sessions" from "<server>" alone (SE-03)

    Examples:
      | cell     | server     |
      | cell_us0 | replica us |
      | cell_us1 | replica us |
      | cell_eu0 | replica eu |
      | cell_eu1 | replica eu |

  Scenario Outline: a lagging replica signs nobody out on <cell>
    Given the replicas of the EU region lag until they are released
    When anna visits "/users/sign_in" on cell_eu0 directly
    And anna signs in on cell_eu0 directly
    And anna visits "/" on <cell> directly
    Then anna is redirected to "/organizations/my-organization/-/dashboard" (SE-06)

    Examples:
      | cell     |
      | cell_us1 |
      | cell_eu0 |
      | cell_eu1 |

  Scenario: a lagging replica signs out no new customer
    Given the replicas of the EU region lag until they are released
    When the new customer signs up, choosing neither on cell_eu0 directly
    And the new customer visits "/-/profile" on cell_eu1 directly
    Then the new customer sees the text "Default organization: GitLab.com Public" (SE-06)

  Scenario: a session is read near the cell once the replicas have it
    Given the replicas of the EU region lag until they are released
    When anna visits "/users/sign_in" on cell_eu0 directly
    And anna signs in on cell_eu0 directly
    And the replicas are released
    And anna visits "/" on cell_eu1 directly
    Then cell_eu1 read "sessions" from "replica eu" alone (SE-03)

  Scenario Outline: one sign-out everywhere ends all sessions on <cell>
    Given anna is signed in
    And visitor is signed in as anna
    When anna sends POST "/-/user_settings/active_sessions" on cell_eu0 directly
    And visitor visits "/" on <cell> directly
    Then the exchange was (SE-11)
      """
      anna->>cell_eu0: POST /-/user_settings/active_sessions
      cell_eu0-->>anna: 302 /users/sign_in
      visitor->><cell>: GET /
      <cell>-->>visitor: 302 /users/sign_in?redirect=/
      """

    Examples:
      | cell     |
      | cell_us1 |
      | cell_eu1 |

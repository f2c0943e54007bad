@cells @buffering @doc:buffering/sessions @doc:routes-learning/sessions
Feature: Sessions in a store for each region
  Each region keeps the sessions that were opened there. A session names its region, and no cell;
  cells of another region read it where it is. No store has a replica, so nothing lags.

  Background:
    Given sessions are kept in a store for each region

  @req:SE-07
  Scenario Outline: a session of Europe is honored by <cell>
    When anna visits "/users/sign_in" on cell_eu0 directly
    And anna signs in on cell_eu0 directly
    And anna visits "/" on <cell> directly
    Then anna is redirected to "/organizations/my-organization/-/dashboard" (RT-13)
    And <cell> read "sessions" from "store eu" alone (SE-07)

    Examples:
      | cell     |
      | cell_us0 |
      | cell_us1 |
      | cell_eu0 |
      | cell_eu1 |

  Scenario: lag of the shared databases does not concern sessions
    Given the replicas of the EU region lag until they are released
    When anna visits "/users/sign_in" on cell_eu0 directly
    And anna signs in on cell_eu0 directly
    And anna visits "/" on cell_eu1 directly
    Then anna is redirected to "/organizations/my-organization/-/dashboard" (SE-07)

  Scenario Outline: a sign-out on <cell> ends a session of Europe
    Given cell_us1 sets "Set-Cookie: left=over; Path=/" on its response to "/users/sign_out"
    And cell_eu1 sets "Set-Cookie: left=over; Path=/" on its response to "/users/sign_out"
    When anna visits "/users/sign_in" on cell_eu0 directly
    And anna signs in on cell_eu0 directly
    And anna sends POST "/users/sign_out" on <cell> directly
    And anna visits "/" on cell_eu0 directly
    Then anna is redirected to "/users/sign_in?redirect=/" (SE-11)
    And the table "sessions" was written 2 times (SE-11)

    Examples:
      | cell     |
      | cell_us1 |
      | cell_eu1 |

  Scenario Outline: <what> ends the sessions of every region
    Given anna is signed in
    When visitor visits "/users/sign_in" on cell_eu0 directly
    And visitor sends POST "/users/sign_in" with the form "username=anna&password=anna-password" on cell_eu0 directly
    And visitor visits "/" on cell_us0 directly
    And anna sends POST "<page>" with the form "current_password=anna-password&password=another" on cell_us1 directly
    And visitor visits "/" on cell_us0 directly
    And visitor visits "/" on cell_eu1 directly
    Then the exchange was (SE-11)
      """
      visitor->>cell_eu0: GET /users/sign_in
      cell_eu0-->>visitor: 200
      visitor->>cell_eu0: POST /users/sign_in
      cell_eu0-->>visitor: 302 /
      visitor->>cell_us0: GET /
      cell_us0-->>visitor: 302 /organizations/my-organization/-/dashboard
      anna->>cell_us1: POST <page>
      cell_us1-->>anna: 302 <back>
      visitor->>cell_us0: GET /
      cell_us0-->>visitor: 302 /users/sign_in?redirect=/
      visitor->>cell_eu1: GET /
      cell_eu1-->>visitor: 302 /users/sign_in?redirect=/
      """

    Examples:
      | what                 | page                             | back             |
      | a new password       | /-/user_settings/password        | /-/user_settings |
      | sign-out everywhere  | /-/user_settings/active_sessions | /users/sign_in   |

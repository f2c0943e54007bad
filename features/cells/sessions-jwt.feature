@cells @buffering @doc:buffering/sessions @doc:routes-learning/sessions
Feature: Sessions as JWTs
  The session is a JWT that its user keeps; cells read no session. What the documents object to has
  its price: a list of revoked JWTs in each region, which every request reads, or a short life, until
  whose end a revoked session still counts.

  Background:
    Given sessions are JWTs, and a list names the revoked

  Rule: A JWT needs no store

    Scenario Outline: a JWT counts on <cell> and no session is read
      When anna visits "/users/sign_in" on cell_eu0 directly
      And anna signs in on cell_eu0 directly
      And anna visits "/" on <cell> directly
      Then anna is redirected to "/organizations/my-organization/-/dashboard" (SE-04)
      And no cell read the table "sessions" (SE-10)
      And the table "sessions" was written 0 times (SE-10)

      Examples:
        | cell     |
        | cell_us0 |
        | cell_us1 |
        | cell_eu0 |
        | cell_eu1 |

    @learning
    Scenario: routers of both regions pass a JWT on unharmed
      Given anna is signed in
      And a cold US router
      And a cold EU router
      When anna visits "/my-company/my-project"
      And anna visits "/my-company/my-project" through the EU router
      Then anna sees the page "My Project" (SE-04)
      And no cell read the table "sessions" (SE-10)

  Rule: An invalid JWT identifies nobody

    Scenario Outline: a JWT with <forgery> identifies nobody
      Given anna is signed in
      When anna forges the JWT with "<forgery>"
      And anna visits "/" on <cell> directly
      Then anna is redirected to "/users/sign_in?redirect=/" (SE-08)

      Examples:
        | forgery                  | cell     |
        | the name of another user | cell_us0 |
        | another key              | cell_us1 |
        | alg none                 | cell_eu0 |
        | no signature             | cell_eu1 |

    Scenario: an expired JWT identifies nobody
      Given anna is signed in
      When 301 s pass on the clock of the cells
      And anna visits "/" on cell_eu0 directly
      Then anna is redirected to "/users/sign_in?redirect=/" (SE-08)

    Scenario: a JWT in use is renewed before it expires
      Given anna is signed in
      When 200 s pass on the clock of the cells
      And anna visits "/" on cell_eu0 directly
      And 200 s pass on the clock of the cells
      And anna visits "/" on cell_us1 directly
      Then anna is redirected to "/organizations/my-organization/-/dashboard" (SE-04)

  Rule: A list ends JWTs at once

    Scenario Outline: a new password ends other JWTs at once on <cell>
      Given anna is signed in
      And visitor is signed in as anna
      When visitor visits "/" on <cell> directly
      And anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us0 directly
      And visitor visits "/" on <cell> directly
      And anna visits "/" on <cell> directly
      Then the exchange was (SE-09)
        """
        visitor->><cell>: GET /
        <cell>-->>visitor: 302 /organizations/my-organization/-/dashboard
        anna->>cell_us0: POST /-/user_settings/password
        cell_us0-->>anna: 302 /-/user_settings
        visitor->><cell>: GET /
        <cell>-->>visitor: 302 /users/sign_in?redirect=/
        anna->><cell>: GET /
        <cell>-->>anna: 302 /organizations/my-organization/-/dashboard
        """
      And <cell> read "revocations" from "<list>" alone (SE-09)
      And the table "revocations" was written 2 times (SE-09)

      Examples:
        | cell     | list     |
        | cell_us1 | store us |
        | cell_eu0 | store eu |

    Scenario Outline: <what> counts on <cell> although the user keeps a copy
      Given cell_us1 sets "Set-Cookie: left=over; Path=/" on its response to "<page>"
      And anna is signed in
      When anna sends POST "<page>" on cell_us1 directly
      And anna visits "/" on <cell> directly
      Then anna is redirected to "/users/sign_in?redirect=/" (SE-11)
      And the table "revocations" was written 2 times (SE-11)

      Examples:
        | what                | page                             | cell     |
        | a sign-out          | /users/sign_out                  | cell_us0 |
        | a sign-out          | /users/sign_out                  | cell_eu1 |
        | sign-out everywhere | /-/user_settings/active_sessions | cell_eu0 |

  Rule: A short life ends JWTs without a list

    Scenario: a JWT of the old password counts until its life ends
      Given sessions are JWTs that live 60 s, and no list names the revoked
      And anna is signed in
      And visitor is signed in as anna
      When anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us0 directly
      And 40 s pass on the clock of the cells
      And visitor visits "/" on cell_eu0 directly
      And anna visits "/" on cell_eu0 directly
      And 40 s pass on the clock of the cells
      And visitor visits "/" on cell_eu0 directly
      And anna visits "/" on cell_eu0 directly
      Then the exchange was (SE-09)
        """
        anna->>cell_us0: POST /-/user_settings/password
        cell_us0-->>anna: 302 /-/user_settings
        visitor->>cell_eu0: GET /
        cell_eu0-->>visitor: 302 /organizations/my-organization/-/dashboard
        anna->>cell_eu0: GET /
        cell_eu0-->>anna: 302 /organizations/my-organization/-/dashboard
        visitor->>cell_eu0: GET /
        cell_eu0-->>visitor: 302 /users/sign_in?redirect=/
        anna->>cell_eu0: GET /
        cell_eu0-->>anna: 302 /organizations/my-organization/-/dashboard
        """
      And no cell read the table "revocations" (SE-09)

    Scenario: a sign-out ends a copied JWT within its life
      Given sessions are JWTs that live 60 s, and no list names the revoked
      And cell_us1 sets "Set-Cookie: left=over; Path=/" on its response to "/users/sign_out"
      And anna is signed in
      When anna sends POST "/users/sign_out" on cell_us1 directly
      And 61 s pass on the clock of the cells
      And anna visits "/" on cell_eu0 directly
      Then anna is redirected to "/users/sign_in?redirect=/" (SE-05)

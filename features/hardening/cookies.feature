@hardening @buffering @learning @capability:cookie-cache
Feature: The router's cookies
  What a router keeps in a user's cookies is a hint, and the user can write anything into it. It tells nothing, and harms
  nobody.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And the second-level cache is switched on
    And a cold EU router

  @req:Z-19
  Scenario: they are for the router alone
    When anna visits "/acme/things"
    And anna visits "/home/things"
    And anna visits "/gitlab-org/gitlab"
    Then the router's cookies are HttpOnly, Secure and SameSite=Lax (Z-19)
    And the router's cookies name no cell (Z-19)

  @req:Z-19
  Scenario: also for a place of another user
    Given nina is signed in
    When nina visits "/not-my-company/not-my-project"
    And nina visits "/organizations/not-my-organization/-/dashboard"
    Then the router's cookies are HttpOnly, Secure and SameSite=Lax (Z-19)
    And the router's cookies name no cell (Z-19)

  # Known to the restarted router is only what the cookie says.
  @req:Z-18
  Scenario Outline: forged ones do no harm
    When anna visits "/acme/things"
    And anna forges the router's cookies as "<value>"
    And the EU router restarts
    And anna visits "/acme/others"
    Then cell_us1 responded last (Z-18)
    And anna gets status 200 (Z-18)

    Examples:
      | forgery       | value                                                                                                                                                                                                                |
      | nothing       |                                                                                                                                                                                                                      |
      | a host        | http://evil.example/                                                                                                                                                                                                 |
      | a cell's JSON | {%22path%22:%22/acme%22%2C%22cell%22:%22cell_us7%22}                                                                                                                                                                 |
      | a long one    | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA |

  @req:Z-18
  Scenario: forged ones harm nobody else
    When anna visits "/acme/things"
    And anna forges the router's cookies as "garbage"
    And the EU router restarts
    And anna visits "/acme/things"
    And nina visits "/acme/things"
    Then cell_us1 responded last (Z-18)
    And nina gets status 200 (Z-18)
    And anna gets status 200 (Z-18)

  @req:Z-18
  Scenario: those of somebody else
    Given anna is signed in
    And nina is signed in
    When anna visits "/my-company/my-project"
    And nina takes over the router's cookies of anna
    And the EU router restarts
    And nina visits "/my-company/my-project"
    Then cell_eu0 responded last (Z-18)
    And nina gets status 404 (Z-18)

  # They may say what was true once.
  @req:Z-18
  Scenario: outdated ones
    Given entries live 400 ms
    And anna is signed in
    When anna visits "/my-company/my-project"
    And the organization "my-organization" moves to cell_us1
    And the entries' time to live passes
    And the EU router restarts
    And anna visits "/my-company/my-project"
    Then cell_us1 responded last (Z-18)
    And anna sees the page "My Project" (Z-18)

@hardening @buffering @learning @capability:cookie-cache
Feature: Cookies of the second-level cache
  A router may cache routes in a user's cookies. Such a cookie is a hint, and the user can forge
  it. It reveals nothing and does no harm.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/home" on cell_eu0
    And the second-level cache is enabled
    And a cold EU router

  Scenario: router cookies are HttpOnly, Secure and name no cell
    When anna visits "/acme/things"
    And anna visits "/home/things"
    And anna visits "/gitlab-org/gitlab"
    Then the router's cookies are HttpOnly, Secure and SameSite=Lax (Z-19)
    And the router's cookies name no cell (Z-19)

  Scenario: router cookies for a private path name no cell
    Given nina is signed in
    When nina visits "/not-my-company/not-my-project"
    And nina visits "/organizations/not-my-organization/-/dashboard"
    Then the router's cookies are HttpOnly, Secure and SameSite=Lax (Z-19)
    And the router's cookies name no cell (Z-19)

  Scenario Outline: a forged router cookie does not misroute its user
    The restarted router knows only what the cookie says.
    When anna visits "/acme/things"
    And anna forges the router's cookies as "<value>"
    And the EU router restarts
    And anna visits "/acme/others"
    Then cell_us1 responded last (Z-18)
    And anna gets status 200 (Z-18)

    Examples:
      | forgery                 | value                                                                                                                                                                                                                |
      | empty value             |                                                                                                                                                                                                                      |
      | host name               | http://evil.example/                                                                                                                                                                                                 |
      | JSON of an unknown cell | {%22path%22:%22/acme%22%2C%22cell%22:%22cell_us7%22}                                                                                                                                                                 |
      | 240 bytes               | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA |

  @doc:buffering/introduction @doc:buffering/pros:item-1 @doc:routes-learning/introduction @doc:routes-learning/pros:item-1
  Scenario: a router cookie leads to the owner of each path in it
    When anna visits "/acme/things"
    And anna visits "/home/things"
    And the EU router restarts
    And anna visits "/acme/others"
    Then cell_us1 responded last (RT-03)
    And anna gets status 200 (RT-03)

  @doc:buffering/introduction @doc:buffering/pros:item-1 @doc:routes-learning/introduction @doc:routes-learning/pros:item-1
  Scenario: a router cookie leads nowhere where it does not name the path
    When anna visits "/acme/things"
    And the EU router restarts
    And anna visits "/home/things"
    Then cell_eu0 responded last (RT-03)
    And anna gets status 200 (RT-03)

  Scenario: a forged router cookie does not misroute another user
    When anna visits "/acme/things"
    And anna forges the router's cookies as "garbage"
    And the EU router restarts
    And anna visits "/acme/things"
    And nina visits "/acme/things"
    Then cell_us1 responded last (Z-18)
    And nina gets status 200 (Z-18)
    And anna gets status 200 (Z-18)

  Scenario: a router cookie of another user reveals no private page
    Given anna is signed in
    And nina is signed in
    When anna visits "/my-company/my-project"
    And nina uses the router's cookies of anna
    And the EU router restarts
    And nina visits "/my-company/my-project"
    Then cell_eu0 responded last (Z-18)
    And nina gets status 404 (Z-18)

  Scenario: a stale router cookie does not misroute its user
    The cookie holds the former owner.
    Given cache entries live 400 ms
    And anna is signed in
    When anna visits "/my-company/my-project"
    And the organization "my-organization" moves to cell_us1
    And the entries' time to live passes
    And the EU router restarts
    And anna visits "/my-company/my-project"
    Then cell_us1 responded last (Z-18)
    And anna sees the page "My Project" (Z-18)

  Scenario: a router cookie does not tell a private page from a missing one
    Given anna is signed in
    And nina is signed in
    And anna visited "/my-company/my-project"
    When nina visits "/my-company/my-project"
    And nina visits "/no-such-company/no-such-project"
    Then the last two responses were indistinguishable (Z-27)

  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: a router cookie of many paths does not outgrow the head of a request
    Given 240 paths with long names on cell_us1
    When visitor visits 240 paths with long names
    Then every response has the status 200 (RT-03)

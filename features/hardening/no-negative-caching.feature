@hardening
Feature: Misses and errors are not cached
  A path without an owner today may have one tomorrow. As soon as the cells know the owner, the
  user reaches it, even after earlier misses.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @learning @late
  Scenario: a new namespace is found after a 404
    When anna visits "/fresh-company"
    And anna visits "/fresh-company"
    And anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company"
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  @buffering @learning
  Scenario: a new namespace is found after a 404 below it
    Given anna visited "/fresh-company/-/boards"
    When anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company"
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  @buffering @learning
  Scenario: a new namespace is found once the replicas know it
    The cells of the region do not know the namespace until their replica catches up.
    Given the replicas lag until they are released
    When anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company"
    And anna visits "/fresh-company"
    And the replicas are released
    And anna visits "/fresh-company"
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  @buffering @learning
  Scenario: a new namespace is found from another region once the replicas know it
    Given a cold US router
    And the replicas lag until they are released
    When anna visits "/fresh-company" through the US router
    And anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company" through the US router
    And the replicas are released
    And anna visits "/fresh-company" through the US router
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  @learning
  Scenario: an exact path is found after a 404 about its parent
    Given every cell responds to a pre-flight about "/tools/profile" with the status 404
    And the exact route "/tools/profile/keys" on cell_us1
    When anna visits "/tools/profile"
    And anna visits "/tools/profile/keys"
    Then anna gets the response of cell_us1 (Z-34)
    And there were 2 pre-flights (Z-34)

  @buffering @learning
  Scenario: a refusal of the router is not cached
    Given the namespace "/acme" on cell_us1
    And cell_us1 resets the connection instead of responding to "/acme/things", once
    When anna visits "/acme/things"
    And anna visits "/acme/things"
    Then anna gets the response of cell_us1 (Z-15)

  @buffering @learning
  Scenario: a 500 of the owner is not cached
    Given the namespace "/acme" on cell_us1
    And cell_us1 responds to "/acme/things" with the status 500 and "Cache-Control: max-age=600"
    When anna visits "/acme/things"
    And anna visits "/acme/more"
    And anna visits "/acme/things"
    Then every user got a cell's response unchanged (Z-15)

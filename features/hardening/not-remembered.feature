@hardening
Feature: Not finding is not remembered
  Nobody owns a place today, and somebody does tomorrow. As soon as the cells know of it the user finds it, also where it
  was missed before.

  Background:
    Given the cells and people of the documents
    And anna is signed in
    And a cold EU router

  @buffering @learning @req:Z-15
  Scenario: a namespace that was missed is created
    When anna visits "/fresh-company"
    And anna visits "/fresh-company"
    And anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company"
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  @buffering @learning @req:Z-15
  Scenario: below a namespace that was missed
    Given anna visited "/fresh-company/-/boards"
    When anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company"
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  # Until the replicas follow, the cells of the region do not know of it themselves.
  @buffering @learning @req:Z-15
  Scenario: a namespace whose route is still on its way
    Given the replicas lag until they are released
    When anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company"
    And anna visits "/fresh-company"
    And the replicas are released
    And anna visits "/fresh-company"
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  @buffering @learning @req:Z-15
  Scenario: and from the other region
    Given a cold US router
    And the replicas lag until they are released
    When anna visits "/fresh-company" through the US router
    And anna creates the group "fresh-company" in "my-organization"
    And anna visits "/fresh-company" through the US router
    And the replicas are released
    And anna visits "/fresh-company" through the US router
    Then anna gets the response of cell_eu0 (Z-15)
    And anna gets status 200 (Z-15)

  @learning @req:Z-34
  Scenario: an exact place that was missed
    Given every cell responds to a pre-flight about "/tools/profile" with:
      """
      404

      """
    And the exact route "/tools/profile/keys" on cell_us1
    When anna visits "/tools/profile"
    And anna visits "/tools/profile/keys"
    Then anna gets the response of cell_us1 (Z-34)
    And there were 2 pre-flights (Z-34)

  @buffering @learning @req:Z-15
  Scenario: a refusal is not remembered
    Given the namespace "/acme" on cell_us1
    And cell_us1 resets the connection instead of responding to "/acme/things", once
    When anna visits "/acme/things"
    And anna visits "/acme/things"
    Then anna gets the response of cell_us1 (Z-15)

  @buffering @learning @req:Z-15
  Scenario: an error of the owner is not kept
    Given the namespace "/acme" on cell_us1
    And cell_us1 responds to "/acme/things" with:
      """
      500
      Cache-Control: max-age=600

      """
    When anna visits "/acme/things"
    And anna visits "/acme/more"
    And anna visits "/acme/things"
    Then every response reached its user as a cell gave it (Z-15)

@hardening @buffering @learning
Feature: Private and missing pages are indistinguishable
  A user without access cannot tell a private page from a missing one, at the first visit or the
  second, on a cold or warm cache, in the home region or in another.

  Background:
    Given the private group "near" on cell_eu0
    And the private group "far" on cell_us1
    And anna is signed in
    And nina is signed in
    And a cold EU router

  Scenario Outline: a private page looks like a missing one on a cold cache
    Given a cold US router
    When anna visits "<private>" through the <region> router
    And anna visits "/no-such-place" through the <region> router
    Then the last two responses were indistinguishable (Z-27)
    And anna gets status 404 (Z-27)

    Examples:
      | case                   | region | private |
      | near the EU router     | EU     | /near   |
      | near the US router     | US     | /far    |
      | far from the US router | US     | /near   |

  Scenario Outline: a private page looks like a missing one at the next visit
    Given anna visited "<private>"
    And anna visited "/no-such-place"
    When anna visits "/no-such-place"
    And anna visits "<private>"
    Then the last two responses were indistinguishable (Z-27)
    And anna gets status 404 (Z-27)

    Examples:
      | case         | private |
      | home region  | /near   |
      | other region | /far    |

  Scenario Outline: a cached private page looks like a missing one
    A member with access has filled the cache.
    Given <member> visited "<known>"
    And <member> visited "<known>"
    When <stranger> visits "<known>"
    And <stranger> visits "/no-such-company/no-such-project"
    Then the last two responses were indistinguishable (Z-27)
    And no page outside the Admin Area names a cell (Z-27)

    Examples:
      | case         | member | stranger | known                          |
      | home region  | anna   | nina     | /my-company/my-project         |
      | other region | nina   | anna     | /not-my-company/not-my-project |

  Scenario Outline: a private page looks like a missing one to HEAD and POST
    When anna sends <method> "/far/things"
    And anna sends <method> "/no-such-place/things"
    Then the last two responses were indistinguishable (Z-27)

    Examples:
      | method |
      | HEAD   |
      | POST   |

  Scenario: a private page names no cell to a visitor who is not signed in
    When visitor visits "/near/things"
    And visitor visits "/far/things"
    Then no page outside the Admin Area names a cell (Z-27)
    And no response to a user carries the field "X-Gitlab-Cell-Cache" (Z-27)

  Scenario Outline: a cached private page looks like a missing one to a visitor
    A member with access has filled the cache. Visitors are sent to sign-in from both.
    Given <member> visited "<known>"
    And <member> visited "<known>"
    When visitor visits "<known>"
    And visitor visits "/no-such-company/no-such-project"
    Then the last two responses were indistinguishable (Z-27)

    Examples:
      | case         | member | known                          |
      | home region  | anna   | /my-company/my-project         |
      | other region | nina   | /not-my-company/not-my-project |

  @buffering
  Scenario Outline: a private page looks like a missing one where its owner starts the login
    Given the owner starts the login
    When visitor visits "<private>"
    And visitor visits "/no-such-place"
    Then the last two responses were indistinguishable (Z-27)

    Examples:
      | case         | private |
      | home region  | /near   |
      | other region | /far    |

  @learning
  Scenario: a private page that has moved looks like a missing one to a visitor
    The entry leads to the former owner, and nothing leads to a place that is missing.
    Given anna visited "/my-company/my-project"
    When the organization "my-organization" moves to cell_us1
    And visitor visits "/my-company/my-project"
    And visitor visits "/no-such-company/no-such-project"
    Then the last two responses were indistinguishable (Z-27)

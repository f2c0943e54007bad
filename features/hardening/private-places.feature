@hardening @buffering @learning
Feature: Private places and missing ones
  A user who may not see a place cannot tell it from one that does not exist: not at the first visit and not at the second,
  whatever the router knows of it, in the region and across.

  Background:
    Given the cells and people of the documents
    And the private namespace "/near" on cell_eu0
    And the private namespace "/far" on cell_us1
    And anna is signed in
    And nina is signed in

  @req:Z-27
  Scenario Outline: at the first visit
    Given a cold <region> router
    When anna visits "<private>"
    And anna visits "/no-such-place"
    Then the last two responses were alike (Z-27)
    And anna gets status 404 (Z-27)

    Examples:
      | case              | region | private |
      | EU, in the region | EU     | /near   |
      | US, in the region | US     | /far    |
      | US, across        | US     | /near   |

  @req:Z-27
  Scenario Outline: at the second visit
    Given a cold EU router
    And anna visited "<private>"
    And anna visited "/no-such-place"
    When anna visits "/no-such-place"
    And anna visits "<private>"
    Then the last two responses were alike (Z-27)
    And anna gets status 404 (Z-27)

    Examples:
      | private |
      | /near   |
      | /far    |

  # Somebody who may see it has taught the router.
  @req:Z-27
  Scenario Outline: where the router knows the place
    Given a cold EU router
    And <member> visited "<known>"
    And <member> visited "<known>"
    When <stranger> visits "<known>"
    And <stranger> visits "/no-such-company/no-such-project"
    Then the last two responses were alike (Z-27)
    And no page outside the Admin Area names a cell (Z-27)

    Examples:
      | case          | member | stranger | known                          |
      | in the region | anna   | nina     | /my-company/my-project         |
      | across        | nina   | anna     | /not-my-company/not-my-project |

  @req:Z-27
  Scenario Outline: other methods
    Given a cold EU router
    When anna sends <method> "/far/things"
    And anna sends <method> "/no-such-place/things"
    Then the last two responses were alike (Z-27)

    Examples:
      | method |
      | HEAD   |
      | POST   |

  @req:Z-27
  Scenario: somebody who is not signed in
    Given a cold EU router
    When visitor visits "/near/things"
    And visitor visits "/far/things"
    Then no page outside the Admin Area names a cell (Z-27)
    And no response to a user carries the field "X-Gitlab-Cell-Cache" (Z-27)

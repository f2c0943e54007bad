@protocol @learning
Feature: Cache entries do not depend on the page
  Only the learn response defines an entry. Its time to live starts when the learn response
  arrives.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:routes-learning/other-project:item-2
  Scenario Outline: a learned path is cached whatever the status of its page
    Given cell_us1 responds to "/acme/things" with the status <status>
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (CA-08)

    Examples:
      | status |
      | 204    |
      | 302    |

  @doc:routes-learning/pre-flight
  Scenario: a learn response about another path does not prolong an entry
    Given cache entries live 1000 ms
    And the namespace "/other" on cell_us1
    And visitor visited "/acme/first"
    When 600 ms pass
    And visitor visits "/other/things"
    And 600 ms pass
    And visitor visits "/acme/second"
    Then the visit went to cell_us1 as on a cold cache (LN-13)

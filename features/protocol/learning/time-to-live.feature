@protocol @learning
Feature: Time to live of cache entries
  A learn response is valid for a short time. Then the router asks again.

  Background:
    Given a cold EU router

  @doc:routes-learning/pre-flight
  Scenario: an expired prefix is asked about again
    Given the namespace "/acme" on cell_us1
    And cache entries live 400 ms
    And visitor visited "/acme/things"
    When the entries' time to live passes
    And visitor visits "/acme/things"
    Then the visit went to cell_us1 as on a cold cache (LN-13)

  @doc:routes-learning/pre-flight
  Scenario: an expired exact path is asked about again
    Given the exact route "/tools/profile" on cell_us1
    And cache entries live 400 ms
    And visitor visited "/tools/profile"
    When the entries' time to live passes
    And visitor visits "/tools/profile"
    Then there was one pre-flight (CA-16)
    And visitor gets the response of cell_us1 (CA-16)

  @doc:routes-learning/organization-moved
  Scenario: a request does not prolong an entry
    Given cache entries live 1000 ms
    And the namespace "/acme" on cell_us1
    And visitor visited "/acme/first"
    When 600 ms pass
    And visitor visits "/acme/second"
    And 600 ms pass
    And visitor visits "/acme/third"
    Then there was a pre-flight (Z-33)

@hardening
Feature: Entries stay in the cache until something contradicts them
  A cache may evict. A router that drops an entry without a reason makes every second request a
  detour.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering
  Scenario: a response without a cache header keeps the entry
    Given cell_us1 responds to "/acme/quiet" with the status 200
    And visitor visited "/acme/things"
    When visitor visits "/acme/quiet"
    And visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-71)

  @buffering @learning
  Scenario: a sign-in keeps the entries of other paths
    Given visitor visited "/acme/things"
    When anna visits "/users/sign_in"
    And anna signs in
    And visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-71)

  @learning
  Scenario: Cache-Control on a learn response does not prevent caching
    Given every cell responds to a pre-flight about "/acme/things" with:
      """
      200
      Content-Type: application/json
      Cache-Control: max-age=0, private, no-store

      {"path": "/acme", "cell": "cell_us1", "source": "routable"}
      """
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-71)

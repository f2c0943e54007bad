@protocol @buffering @learning @doc:buffering/introduction @doc:routes-learning/introduction
Feature: Fields between cells and routers
  Cells send the redirect header and the cache header to routers. A router does not reveal what
  they say.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router
    And visitor visited "/acme/things"

  Scenario: a response from a cached owner carries no redirect header
    When visitor visits "/acme/more"
    Then the exchange was (Z-37)
      """
      user->>router_eu: GET /acme/more
      router_eu->>cell_us1: GET /acme/more
      cell_us1-->>user: 200 without X-Gitlab-Cell-Redirect
      """

  Scenario: a 404 from a cached owner carries no redirect header
    Given cell_us1 responds to "/acme/missing" with the status 404
    When visitor visits "/acme/missing"
    Then the exchange was (Z-37)
      """
      user->>router_eu: GET /acme/missing
      router_eu->>cell_us1: GET /acme/missing
      cell_us1-->>user: 404 without X-Gitlab-Cell-Redirect
      """

@protocol @buffering
Feature: The cache header counts on every response to the user
  The header counts whatever the method, the status and the body, and whatever the response says
  about caching the page. The router caches the route, not the page.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:buffering/changes:item-7
  Scenario Outline: a cache header counts for any method
    When visitor sends <method> "/acme/things"
    And visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (CA-03)

    Examples:
      | method |
      | HEAD   |
      | POST   |
      | DELETE |

  @doc:buffering/changes:item-7
  Scenario Outline: a cache header counts with any status
    Given cell_us1 responds to "/acme/things" with the status <status> and "X-Gitlab-Cell-Cache: {path_prefix:/acme/}"
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (CA-03)

    Examples:
      | status |
      | 204    |
      | 302    |
      | 304    |
      | 404    |
      | 500    |

  @doc:buffering/changes:item-7
  Scenario Outline: a cache header counts next to fields about caching
    Given cell_us1 sets "<field>" on its response to "/acme/things"
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (CA-03)

    Examples:
      | case            | field                                |
      | no-store        | Cache-Control: no-store              |
      | Vary            | Vary: *                              |
      | Set-Cookie      | Set-Cookie: flavor=plain; Path=/acme |
      | Expires         | Expires: 0                           |
      | Age             | Age: 2147483648                      |
      | Date            | Date: Thu, 01 Jan 1970 00:00:00 GMT  |
      | surrogate       | Surrogate-Control: no-store          |
      | X-Accel-Expires | X-Accel-Expires: 0                   |

  @doc:buffering/changes:item-7 @late
  Scenario: a cache header of the first asked cell counts
    A router that adds no entry here picks the owner each time by chance: once in 2^40 runs.
    Given anna is signed in
    When anna visits "/my-company/my-project", asking cell_eu0 first
    And anna visits "/my-company/my-other-project" 40 times
    Then every request reached exactly one cell (CA-03)

  @doc:buffering/root:item-2
  Scenario: an internal redirect adds no entry if the owner sends no cache header
    Given every EU cell responds to "/acme/quiet" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
    And cell_us1 responds to "/acme/quiet" with the status 200
    And visitor visited "/acme/quiet"
    When visitor visits "/acme/quiet"
    Then the exchange was (CA-04)
      """
      user->>router_eu: GET /acme/quiet
      router_eu->>any_eu_cell: GET /acme/quiet
      any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
      router_eu->>cell_us0: GET /acme/quiet
      cell_us0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
      router_eu->>cell_us1: GET /acme/quiet
      cell_us1-->>user: 200
      """

  Scenario: a prefix in a redirect header adds no entry
    Given every EU cell responds to "/acme/quiet" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US1,path_prefix:/acme/}"
    And cell_us1 responds to "/acme/quiet" with the status 200
    And visitor visited "/acme/quiet"
    When visitor visits "/acme/quiet"
    Then the visit went to cell_us1 as on a cold cache (Z-40)

  @doc:buffering/root:item-2
  Scenario: a page with the body of a learn response adds no entry
    Given cell_us1 responds to "/acme/quiet" with the JSON '{"path": "/acme", "cell": "cell_us0", "source": "routable"}'
    And visitor visited "/acme/quiet"
    When visitor visits "/acme/quiet"
    Then the visit went to cell_us1 as on a cold cache (CA-04)

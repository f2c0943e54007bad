@protocol @buffering @learning
Feature: Cells decide the route
  The router knows nothing about the composition of URLs and reads no routes. It follows the
  cells, however odd the mapping.

  Background:
    Given a cold EU router

  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: a path that only the cells know reaches its owner
    Given the namespace "/acme" on cell_us1
    When visitor visits "/acme/things"
    And visitor visits "/acme/more"
    Then every user got a cell's response unchanged (RT-02)
    And visitor gets the response of cell_us1 (RT-02)

  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: a project of the documents reaches its owner only by way of a cell
    When visitor visits "/gitlab-org/gitlab"
    Then the visit went to cell_us0 as on a cold cache (RT-02)
    And every user got a cell's response unchanged (RT-02)

  @doc:buffering/pros:item-3 @doc:routes-learning/pros:item-3
  Scenario Outline: a path of an unusual shape is routed and cached
    Given the namespace "<path>" on cell_us1
    When visitor visits "<path>"
    And visitor visits "<path>/below?x=1"
    Then the visit went straight to cell_us1 (RT-10)
    And every user got a cell's response unchanged (RT-10)

    Examples:
      | shape          | path             |
      | only a dash    | /-               |
      | sub-delimiters | /@home/$1;v=2    |
      | dots           | /1.0/a..b/(c)    |
      | eight levels   | /a/b/c/d/e/f/g/h |
      | like an API    | /api/v9/things   |
      | capitals       | /UPPER/lower     |

  @doc:buffering/pros:item-5 @doc:routes-learning/pros:item-5 @late
  Scenario: two projects of one group are routed to different cells
    Given the namespace "/acme/one" on cell_us0
    And the namespace "/acme/two" on cell_us1
    And visitor visited "/acme/one"
    And visitor visited "/acme/two"
    When visitor visits "/acme/one/-/issues"
    And visitor visits "/acme/two/-/issues"
    Then the exchange was (RT-14)
      """
      user->>router_eu: GET /acme/one/-/issues
      router_eu->>cell_us0: GET /acme/one/-/issues
      cell_us0-->>user: 200
      user->>router_eu: GET /acme/two/-/issues
      router_eu->>cell_us1: GET /acme/two/-/issues
      cell_us1-->>user: 200
      """

  @doc:buffering/pros:item-5 @doc:routes-learning/pros:item-5 @late
  Scenario: nested paths are routed to alternating cells
    Given the namespace "/a" on cell_us0
    And the namespace "/a/b" on cell_us1
    And the namespace "/a/b/c" on cell_us0
    And visitor visited "/a/b/c/x"
    And visitor visited "/a/b/x"
    And visitor visited "/a/x"
    When visitor visits "/a/b/c/y"
    And visitor visits "/a/b/y"
    And visitor visits "/a/y"
    Then the exchange was (RT-14)
      """
      user->>router_eu: GET /a/b/c/y
      router_eu->>cell_us0: GET /a/b/c/y
      cell_us0-->>user: 200
      user->>router_eu: GET /a/b/y
      router_eu->>cell_us1: GET /a/b/y
      cell_us1-->>user: 200
      user->>router_eu: GET /a/y
      router_eu->>cell_us0: GET /a/y
      cell_us0-->>user: 200
      """

  @doc:buffering/pros:item-5 @doc:routes-learning/pros:item-5
  Scenario: swapped segments of a path are routed to different cells
    Given the namespace "/acme/web" on cell_us0
    And the namespace "/web/acme" on cell_us1
    And visitor visited "/acme/web"
    When visitor visits "/web/acme"
    Then no request went to cell_us0 (RT-14)
    And visitor gets the response of cell_us1 (RT-14)

@hardening @buffering
Feature: The X-Gitlab-Cell-Cache header is parsed strictly
  A valid prefix covers the path of the request and is not the root. The router ignores a header
  that it cannot parse. The owner has already processed the request, so the user still gets the
  response.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a malformed cache header is ignored
    Given cell_us1 sets "X-Gitlab-Cell-Cache: <value>" on its response to "/acme/things"
    When visitor visits "/acme/things"
    And visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-36)
    And the visit went to cell_us1 as on a cold cache (Z-36)

    Examples:
      | fault            | value               |
      | bare path        | /acme/              |
      | missing brace    | {path_prefix:/acme/ |
      | no prefix        | {prefix:/acme/}     |
      | no leading slash | {path_prefix:acme}  |

  @doc:buffering/changes:item-7
  Scenario Outline: a response of any status announces its prefix
    Given cell_us1 responds to "/acme/new" with the status <status> and "X-Gitlab-Cell-Cache: {path_prefix:/acme/}"
    When visitor sends POST "/acme/new" with 300 random bytes
    And visitor visits "/acme/things"
    Then the visit went straight to cell_us1 (CA-03)

    Examples:
      | status |
      | 201    |
      | 202    |
      | 204    |
      | 302    |

  Scenario Outline: unknown members and blanks in a cache header are skipped
    Given cell_us1 sets "X-Gitlab-Cell-Cache: <value>" on its response to "/acme/things"
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (Z-40)

    Examples:
      | form         | value                                   |
      | blanks       | { path_prefix : /acme/ , since : 2023 } |
      | another cell | {cell:Cell EU0,path_prefix:/acme/}      |

  @doc:buffering/changes:item-7
  Scenario: a prefix without a trailing slash is cached
    Given cell_us1 sets "X-Gitlab-Cell-Cache: {path_prefix:/acme}" on its response to "/acme/things"
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (CA-03)

  Scenario Outline: a prefix that does not cover the request path is not cached
    Given cell_us1 sets "X-Gitlab-Cell-Cache: {path_prefix:<prefix>}" on its response to "/acme/things"
    And visitor visited "/acme/things"
    When visitor visits "<path>"
    Then the visit went to <owner> as on a cold cache (Z-07)

    Examples:
      | prefix         | path               | owner    |
      | /gitlab-org/   | /gitlab-org/gitlab | cell_us0 |
      | /acme/other/   | /acme/other/x      | cell_us1 |
      | /acme/thing    | /acme/thing        | cell_us1 |
      | /acme/things/x | /acme/things/x     | cell_us1 |

  Scenario Outline: <case> as a prefix is not cached
    Given cell_us1 sets "X-Gitlab-Cell-Cache: {path_prefix:<prefix>}" on its response to "/acme/things"
    And visitor visited "/acme/things"
    When visitor visits "/gitlab-org/gitlab"
    Then the visit went to cell_us0 as on a cold cache (<row>)

    Examples:
      | case             | prefix | row  |
      | the root         | /      | Z-65 |
      | the empty string |        | Z-08 |

  Scenario: the last of two cache headers for one prefix wins
    Given cell_us1 responds to "/acme/moved" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
    And cell_us0 responds to "/acme/moved" with the status 200 and "X-Gitlab-Cell-Cache: {path_prefix:/acme/}"
    And visitor visited "/acme/things"
    When visitor visits "/acme/moved"
    And visitor visits "/acme/moved?again"
    Then the exchange was (Z-38)
      """
      user->>router_eu: GET /acme/moved
      router_eu->>cell_us1: GET /acme/moved
      cell_us1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
      router_eu->>cell_us0: GET /acme/moved
      cell_us0-->>user: 200
      user->>router_eu: GET /acme/moved?again
      router_eu->>cell_us0: GET /acme/moved?again
      cell_us0-->>user: 200
      """

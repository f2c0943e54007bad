@hardening
Feature: Precedence of cache entries
  Entries of several levels may cover one path. An exact entry comes first, then the longest
  prefix, whatever the order in which the router learned them.

  Background:
    Given a cold EU router

  @buffering @learning @late
  Scenario: the longest prefix wins when learned first
    Given the namespace "/a" on cell_us0
    And the namespace "/a/b/c" on cell_us1
    And visitor visited "/a/b/c/x"
    And visitor visited "/a/x"
    When visitor visits "/a/b/c/y"
    And visitor visits "/a/b/y"
    Then the exchange was (Z-09)
      """
      user->>router_eu: GET /a/b/c/y
      router_eu->>cell_us1: GET /a/b/c/y
      cell_us1-->>user: 200
      %% Z-38 only where it covers
      user->>router_eu: GET /a/b/y
      router_eu->>cell_us0: GET /a/b/y
      cell_us0-->>user: 200
      """

  @buffering
  Scenario: the longest prefix wins when learned last
    The entry for "/a" led to an internal redirect on the way to "/a/b/c", so the router may have
    dropped it.
    Given the namespace "/a" on cell_us0
    And the namespace "/a/b/c" on cell_us1
    And visitor visited "/a/x"
    And visitor visited "/a/b/c/x"
    When visitor visits "/a/b/c/y"
    And visitor visits "/a/b/y"
    Then the exchange was (Z-09)
      """
      user->>router_eu: GET /a/b/c/y
      router_eu->>cell_us1: GET /a/b/c/y
      cell_us1-->>user: 200
      %% Z-38 only where it covers
      user->>router_eu: GET /a/b/y
      opt the router dropped the shorter entry
        router_eu->>any_eu_cell: GET /a/b/y
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
      end
      router_eu->>cell_us0: GET /a/b/y
      cell_us0-->>user: 200
      """

  @learning @late
  Scenario: an exact entry wins over a prefix that covers it
    Given the namespace "/tools" on cell_us0
    And the exact route "/tools/profile" on cell_us1
    And visitor visited "/tools/profile"
    And visitor visited "/tools/other"
    When visitor visits "/tools/profile"
    And visitor visits "/tools/profile/keys"
    Then the exchange was (Z-38)
      """
      user->>router_eu: GET /tools/profile
      router_eu->>cell_us1: GET /tools/profile
      cell_us1-->>user: 200
      user->>router_eu: GET /tools/profile/keys
      router_eu->>cell_us0: GET /tools/profile/keys
      cell_us0-->>user: 200
      """

  @learning
  Scenario: an exact entry and a prefix of the same path stand side by side
    Given every cell responds to "/tools" with the status 200
    And every cell responds to "/tools/saw" with the status 200
    And every cell responds to a pre-flight about "/tools" with the JSON '{"path": "/tools", "cell": "cell_us1", "source": "fixed", "exact": true}'
    And every cell responds to a pre-flight about "/tools/saw" with the JSON '{"path": "/tools", "cell": "cell_us0", "source": "routable"}'
    And visitor visited "/tools"
    And visitor visited "/tools/saw"
    When visitor visits "/tools"
    And visitor visits "/tools/saw"
    Then the exchange was (Z-38)
      """
      user->>router_eu: GET /tools
      router_eu->>cell_us1: GET /tools
      cell_us1-->>user: 200
      user->>router_eu: GET /tools/saw
      router_eu->>cell_us0: GET /tools/saw
      cell_us0-->>user: 200
      """

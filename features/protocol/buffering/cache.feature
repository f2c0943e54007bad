@protocol @buffering @document:buffering-requests
Feature: What the cache header teaches
  The owner adds a header with a path prefix to its answer. From then on the router sends what is under that prefix to the
  cell that answered. The owners live in the other region: a cold request is always seen at an EU cell first.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  Rule: Under the prefix, straight to the owner

    @req:CA-03 @req:RT-09
    Scenario Outline: after one visit
      Given visitor visited "/gitlab-org/gitlab"
      When visitor visits "/gitlab-org/gitlab"
      And visitor visits "<path>"
      Then the exchange was (RT-09)
        """
        user->>router_eu: GET /gitlab-org/gitlab
        router_eu->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        %% CA-03 anything under the prefix
        user->>router_eu: GET <path>
        router_eu->>cell_us0: GET <path>
        cell_us0-->>user: 200
        """

      Examples:
        | path                            |
        | /gitlab-org/gitlab-test         |
        | /gitlab-org/gitlab?tab=activity |

    @req:CA-03
    Scenario Outline: whatever the method and however deep
      Given the namespace "/acme" on cell_us1
      And visitor visited "/acme/things"
      When visitor sends <method> "<path>"
      Then the exchange was (CA-03)
        """
        user->>router_eu: <method> <path>
        router_eu->>cell_us1: <method> <path>
        cell_us1-->>user: 200
        """

      Examples:
        | path                   | method |
        | /acme/other            | GET    |
        | /acme/a/b/c/-/d?page=2 | GET    |
        | /acme/things           | POST   |
        | /acme/                 | HEAD   |

    @req:CA-18
    Scenario: the entry names the cell that gave the final answer
      Given anna is signed in
      When anna visits "/my-company/my-project", asking cell_eu1 first
      And anna visits "/my-company/my-other-project"
      Then the last exchange was (CA-18)
        """
        user->>router_eu: GET /my-company/my-other-project
        router_eu->>cell_eu0: GET /my-company/my-other-project
        cell_eu0-->>user: 200
        """

    @req:CA-18
    Scenario: after two bounces too
      Given the namespace "/acme" on cell_us1
      And cell_eu0 answers "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      And cell_eu1 answers "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/other"
      Then the last exchange was (CA-18)
        """
        user->>router_eu: GET /acme/other
        router_eu->>cell_us1: GET /acme/other
        cell_us1-->>user: 200
        """

  Rule: The prefix, no more and no less

    @req:CA-02
    Scenario: a prefix deeper than the group
      Given the namespace "/acme" on cell_us1
      And cell_us1 sets on its answer to "/acme/tools/saw":
        """
        X-Gitlab-Cell-Cache: {path_prefix:/acme/tools/}
        """
      And cell_us1 sets on its answer to "/acme/tools/plane":
        """
        X-Gitlab-Cell-Cache: {path_prefix:/acme/tools/}
        """
      And visitor visited "/acme/tools/saw"
      When visitor visits "/acme/tools/plane"
      And visitor visits "/acme/things"
      Then the exchange was (CA-02)
        """
        user->>router_eu: GET /acme/tools/plane
        router_eu->>cell_us1: GET /acme/tools/plane
        cell_us1-->>user: 200
        user->>router_eu: GET /acme/things
        router_eu->>any_eu_cell: GET /acme/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        """

    @req:CA-06
    Scenario Outline: a neighbour whose name begins alike
      Given the namespace "/acme" on cell_us1
      And the namespace "<neighbour>" on cell_us0
      And visitor visited "/acme/things"
      When visitor visits "<neighbour>/things"
      Then the exchange was (CA-06)
        """
        user->>router_eu: GET <neighbour>/things
        router_eu->>any_eu_cell: GET <neighbour>/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET <neighbour>/things
        cell_us0-->>user: 200
        """

      Examples:
        | neighbour |
        | /acme-2   |
        | /acme2    |
        | /acmex    |
        | /acme.org |
        | /acm      |

    @req:CA-06
    Scenario: the prefix stands elsewhere in the path
      Given the namespace "/acme" on cell_us1
      And the namespace "/other" on cell_us0
      And visitor visited "/acme/things"
      When visitor visits "/other/acme/things"
      Then no request went to cell_us1 (CA-06)
      And cell_us0 answered last (CA-06)

  Rule: Without the header nothing is remembered

    @req:CA-04
    Scenario: an answer without the header
      Given the namespace "/acme" on cell_us1
      And cell_us1 answers "/acme/quiet" with:
        """
        200
        Content-Type: text/plain

        not a word about where this is
        """
      And visitor visited "/acme/quiet"
      When visitor visits "/acme/quiet"
      Then the exchange was (CA-04)
        """
        user->>router_eu: GET /acme/quiet
        router_eu->>any_eu_cell: GET /acme/quiet
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /acme/quiet
        cell_us1-->>user: 200
        """

    @req:CA-13 @req:BF-16
    Scenario: the dashboard of a legacy user
      Given gabe is signed in
      And gabe visited "/dashboard"
      When gabe visits "/dashboard"
      Then the exchange was (CA-13)
        """
        user->>router_eu: GET /dashboard
        router_eu->>any_eu_cell: GET /dashboard
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /dashboard
        %% BF-16 the owner asks for no entry
        cell_us0-->>user: 200 without X-Gitlab-Cell-Cache
        """

  Rule: Places are remembered, not content

    @req:CA-17
    Scenario: two equal visits are two requests at the owner
      Given the namespace "/acme" on cell_us1
      And visitor visited "/acme/things"
      When visitor visits "/acme/things"
      And visitor visits "/acme/things"
      Then the exchange was (CA-17)
        """
        user->>router_eu: GET /acme/things
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        user->>router_eu: GET /acme/things
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        """

  Rule: A fixed place of the Admin Area

    @req:AD-02
    Scenario: the admin pages of one cell
      Given olga is signed in
      And olga visited "/admin/cells/cellus0/projects"
      When olga visits "/admin/cells/cellus0/projects"
      Then the exchange was (AD-02)
        """
        user->>router_eu: GET /admin/cells/cellus0/projects
        router_eu->>cell_us0: GET /admin/cells/cellus0/projects
        cell_us0-->>user: 200
        """

    @req:AD-02
    Scenario: are not those of another
      Given olga is signed in
      And olga visited "/admin/cells/cellus0/projects"
      When olga visits "/admin/cells/cellus1/projects"
      Then the exchange was (AD-02)
        """
        user->>router_eu: GET /admin/cells/cellus1/projects
        router_eu->>any_eu_cell: GET /admin/cells/cellus1/projects
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /admin/cells/cellus1/projects
        cell_us1-->>user: 200
        """

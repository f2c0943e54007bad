@cells
Feature: Every cell knows the owner of a path
  A cell that does not own the target of a request neither serves nor changes it. Under buffering
  it names the owner. Under learning it returns 404, since routers ask beforehand.

  Background:
    Given anna is signed in
    And nina is signed in

  @buffering
  Rule: Redirects to the owner

    @doc:buffering/changes:item-7
    Scenario Outline: a redirect to <owner> comes from every other cell
      Given the namespace "/acme" on <owner>
      When every cell is asked about "/acme/things"
      Then every cell points to <owner> (BF-02)
      And no database was written (RT-07)

      Examples:
        | owner    |
        | cell_us1 |
        | cell_eu0 |

    @doc:buffering/changes:item-7
    Scenario: a redirect to the owner has the form that the proposal draws
      When anna visits "/my-company/my-project" on cell_eu1 directly
      Then the exchange was (BF-02)
        """
        user->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>user: 302 /my-company/my-project X-Gitlab-Cell-Redirect={cell:Cell EU0} without X-Gitlab-Cell-Cache
        """

    @doc:buffering/introduction @doc:buffering/pros:item-2
    Scenario: a redirect to the owner precedes any write
      When nina sends POST "/organizations/not-my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}' on cell_eu1 directly
      Then no database was written (RT-07)
      And the response to nina carries the fields: (BF-02)
        """
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        """

    @doc:buffering/project-signed-out:item-3
    Scenario Outline: a signed-out visitor is sent to the sign-in page instead of the owner
      When visitor visits "/not-my-company/not-my-project" on <cell> directly
      Then visitor is redirected to "/users/sign_in?redirect=/not-my-company/not-my-project" (BF-15)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (BF-15)

      Examples:
        | cell     |
        | cell_us0 |
        | cell_eu1 |

    @doc:buffering/changes:item-7
    Scenario Outline: the owner of <path> sends a cache header
      When anna visits "<path>" on <owner> directly
      And anna visits "<path>" on <owner> directly
      Then the last exchange was (CA-01)
        """
        user->><owner>: GET <path>
        <owner>-->>user: 200 X-Gitlab-Cell-Cache={path_prefix:<prefix>}
        """

      Examples:
        | path                                       | prefix                          | owner    |
        | /my-company/my-project                     | /my-company/                    | cell_eu0 |
        | /gitlab-org/gitlab                         | /gitlab-org/                    | cell_us0 |
        | /organizations/my-organization/-/dashboard | /organizations/my-organization/ | cell_eu0 |

    @doc:buffering/other-project:item-3
    Scenario: the owner sends a cache header in every response
      When anna visits "/my-company/handbook" on cell_eu0 directly
      And visitor visits "/my-company/handbook" on cell_eu0 directly
      Then the exchange was (CA-05)
        """
        anna->>cell_eu0: GET /my-company/handbook
        cell_eu0-->>anna: 200 X-Gitlab-Cell-Cache={path_prefix:/my-company/}
        visitor->>cell_eu0: GET /my-company/handbook
        cell_eu0-->>visitor: 200 X-Gitlab-Cell-Cache={path_prefix:/my-company/}
        """

    @doc:buffering/root:item-2 @doc:buffering/root-legacy:item-5
    Scenario: the root and the dashboard carry no cache header
      Given gabe is signed in
      When gabe visits "/" on cell_us1 directly
      And gabe visits "/dashboard" on cell_us0 directly
      And anna visits "/" on cell_eu0 directly
      And anna visits "/dashboard" on cell_eu1 directly
      And visitor visits "/" on cell_eu1 directly
      Then no response to a user carries the field "X-Gitlab-Cell-Cache" (BF-16)

  @learning @doc:routes-learning/introduction @doc:routes-learning/pros:item-2
  Rule: Requests at another cell

    Scenario: a write at another cell gets a 404 and changes nothing
      When nina sends POST "/organizations/not-my-organization/groups" with the JSON '{"name": "acme", "path": "acme"}' on cell_eu1 directly
      Then nina gets status 404 (RT-07)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (RT-07)
      And no database was written (RT-07)

    Scenario: a page at another cell is a 404 and at the owner a 200
      When anna visits "/my-company/my-project" on cell_eu1 directly
      And anna visits "/my-company/my-project" on cell_eu0 directly
      Then the exchange was (RT-07)
        """
        user->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>user: 404 without X-Gitlab-Cell-Redirect without X-Gitlab-Cell-Cache
        user->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200
        """

  @buffering
  Rule: Data of a page

    @doc:buffering/cons:item-8 @doc:routes-learning/cons:item-8
    Scenario: a page is made by one cell without asking others
      When anna visits "/my-company/my-project" on cell_eu0 directly
      Then the exchange was (RT-17)
        """
        user->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200
        """

    @doc:buffering/diagrams-even-more-detail:drawing @doc:routes-learning/diagrams-even-more-detail:drawing
    Scenario: a project is read from the database of its own cell
      When visitor visits "/gitlab-org/gitlab" on cell_us0 directly
      And visitor visits "/gitlab-org/gitlab" on cell_us1 directly
      Then cell_us0 read "gitlab_main" from "own cell_us0" alone (DB-04)
      And cell_us1 did not read "gitlab_main" (DB-04)

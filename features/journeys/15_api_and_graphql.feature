@journey
Feature: GraphQL and API requests which do not include the namespace in the URL
  The proposals leave this flow open. They expect that many requests are routed by an id, and that
  GraphQL requests carry the organization in their path.

  Background:
    Given anna is signed in
    And gabe is signed in
    And a cold EU router

  @buffering @doc:buffering/graphql-api
  Rule: API by redirect

    Scenario: an API project is found by its encoded path
      When anna visits "/api/v4/projects/my-company%2Fmy-project", asking cell_eu1 first
      Then the exchange was (TD-04)
        """
        user->>router_eu: GET /api/v4/projects/my-company%2Fmy-project
        router_eu->>cell_eu1: GET /api/v4/projects/my-company%2Fmy-project
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        %% Z-13 the encoded slash is unchanged
        router_eu->>cell_eu0: GET /api/v4/projects/my-company%2Fmy-project
        cell_eu0-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

    Scenario: an API project is served at once if the router picks its owner
      When anna visits "/api/v4/projects/my-company%2Fmy-project", asking cell_eu0 first
      Then the exchange was (BF-12)
        """
        user->>router_eu: GET /api/v4/projects/my-company%2Fmy-project
        router_eu->>cell_eu0: GET /api/v4/projects/my-company%2Fmy-project
        cell_eu0-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

    @doc:buffering/unique-ids
    Scenario Outline: an API project is found by its id
      When anna visits "/api/v4/projects/<id>", asking cell_eu1 first
      Then the exchange was (ID-02)
        """
        user->>router_eu: GET /api/v4/projects/<id>
        router_eu->>cell_eu1: GET /api/v4/projects/<id>
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /api/v4/projects/<id>
        cell_eu0-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

      Examples:
        | id         |
        | 5001       |
        | 5000000002 |

    Scenario: an API response adds no cache entry
      Given anna visited "/api/v4/projects/gitlab-org%2Fgitlab"
      When anna visits "/api/v4/projects/gitlab-org%2Fgitlab"
      Then the exchange was (CA-04)
        """
        user->>router_eu: GET /api/v4/projects/gitlab-org%2Fgitlab
        router_eu->>any_eu_cell: GET /api/v4/projects/gitlab-org%2Fgitlab
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /api/v4/projects/gitlab-org%2Fgitlab
        cell_us0-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

    @doc:buffering/cons:item-7
    Scenario: GraphQL with an organization in its path reaches the organization's cell
      When anna sends POST "/api/organizations/my-organization/graphql" with the JSON '{"query":"{ currentUser { username } }"}', asking cell_eu1 first
      Then the exchange was (TD-05)
        """
        user->>router_eu: POST /api/organizations/my-organization/graphql
        router_eu->>cell_eu1: POST /api/organizations/my-organization/graphql
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: POST /api/organizations/my-organization/graphql
        %% CA-11 the organization is a separate prefix here too
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/api/organizations/my-organization/}]
        """
      And every copy of the request carried the same method, target and body (BF-04)

    Scenario: GraphQL with an organization in its path is cached
      When anna sends POST "/api/organizations/my-organization/graphql" with the JSON '{"query":"{ currentUser { username } }"}', asking cell_eu1 first
      And anna sends POST "/api/organizations/my-organization/graphql" with the JSON '{"query":"{ currentUser { id } }"}'
      Then the last exchange was (CA-03)
        """
        user->>router_eu: POST /api/organizations/my-organization/graphql
        router_eu->>cell_eu0: POST /api/organizations/my-organization/graphql
        cell_eu0-->>user: 200
        """

    Scenario: GraphQL without an organization is served by the picked cell
      When gabe sends POST "/api/graphql" with the JSON '{"query":"{ currentUser { username } }"}'
      Then the exchange was (TD-04)
        """
        user->>router_eu: POST /api/graphql
        router_eu->>any_eu_cell: POST /api/graphql
        %% TD-06 the path names no owner to cache
        any_eu_cell-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/graphql-api
  Rule: API by pre-flight

    Scenario: an API project is learned by its encoded path
      When anna visits "/api/v4/projects/my-company%2Fmy-project"
      Then the exchange was (TD-04)
        """
        user->>router_eu: GET /api/v4/projects/my-company%2Fmy-project
        %% Z-12 one decoding gives the path as it was asked for
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/api/v4/projects/my-company%2Fmy-project
        any_eu_cell-->>router_eu: 200 {path: "/api/v4/projects/my-company%2Fmy-project", cell: "cell_eu0", source: "routable", exact: true}
        %% Z-13 the encoded slash is unchanged
        router_eu->>cell_eu0: GET /api/v4/projects/my-company%2Fmy-project
        cell_eu0-->>user: 200
        """

    @doc:routes-learning/unique-ids
    Scenario Outline: an API project is learned by its id
      When anna visits "/api/v4/projects/<id>"
      Then the exchange was (ID-02)
        """
        user->>router_eu: GET /api/v4/projects/<id>
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/api/v4/projects/<id>
        any_eu_cell-->>router_eu: 200 {path: "/api/v4/projects/<id>", cell: "cell_eu0", source: "routable", exact: true}
        router_eu->>cell_eu0: GET /api/v4/projects/<id>
        cell_eu0-->>user: 200
        """

      Examples:
        | id         |
        | 5001       |
        | 5000000002 |

    Scenario: an entry of one API project does not serve another
      Given anna visited "/api/v4/projects/5001"
      When anna visits "/api/v4/projects/gitlab-org%2Fgitlab"
      Then the exchange was (LN-06)
        """
        user->>router_eu: GET /api/v4/projects/gitlab-org%2Fgitlab
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/api/v4/projects/gitlab-org%2Fgitlab
        any_eu_cell-->>router_eu: 200 {path: "/api/v4/projects/gitlab-org%2Fgitlab", cell: "cell_us0", source: "routable", exact: true}
        router_eu->>cell_us0: GET /api/v4/projects/gitlab-org%2Fgitlab
        cell_us0-->>user: 200
        """

    Scenario: an entry of an API project serves the same project
      Given anna visited "/api/v4/projects/5001"
      When anna visits "/api/v4/projects/5001"
      Then the exchange was (RT-09)
        """
        user->>router_eu: GET /api/v4/projects/5001
        router_eu->>cell_eu0: GET /api/v4/projects/5001
        cell_eu0-->>user: 200
        """

    @doc:routes-learning/cons:item-7
    Scenario: GraphQL with an organization in its path is learned
      When anna sends POST "/api/organizations/my-organization/graphql" with the JSON '{"query":"{ currentUser { username } }"}'
      Then the exchange was (TD-05)
        """
        user->>router_eu: POST /api/organizations/my-organization/graphql
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/api/organizations/my-organization/graphql
        any_eu_cell-->>router_eu: 200 {path: "/api/organizations/my-organization", cell: "cell_eu0", source: "routable"}
        %% LN-10 a call is processed exactly once
        router_eu->>cell_eu0: POST /api/organizations/my-organization/graphql
        cell_eu0-->>user: 200
        """

    Scenario: GraphQL without an organization is served by some cell
      When gabe sends POST "/api/graphql" with the JSON '{"query":"{ currentUser { username } }"}'
      Then the exchange was (TD-04)
        """
        user->>router_eu: POST /api/graphql
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/api/graphql
        any_eu_cell-->>router_eu: 404
        %% LN-10 a call is processed exactly once
        alt a cell of the region responds
          router_eu->>any_eu_cell: POST /api/graphql
          any_eu_cell-->>user: 200
        else the latest cell responds
          router_eu->>cell_us0: POST /api/graphql
          cell_us0-->>user: 200
        end
        """

    @doc:routes-learning/cons:item-7
    Scenario: GraphQL without an organization is asked about each time
      Given gabe visited "/api/graphql"
      When gabe sends POST "/api/graphql" with the JSON '{"query":"{ currentUser { username } }"}'
      Then there was one pre-flight (TD-06)
      And every request reached exactly one cell (LN-10)

  @buffering @learning @doc:buffering/graphql-api @doc:routes-learning/graphql-api
  Rule: API of a legacy user

    @any-cache
    Scenario: API and GraphQL requests of a legacy user get the cells' responses
      When gabe sends POST "/api/graphql" with the JSON '{"query":"{ currentUser { username } }"}'
      And gabe visits "/api/v4/projects/gitlab-org%2Fgitlab"
      Then every user got a cell's response unchanged (TD-04)
      And gabe gets status 200 (TD-04)

  @buffering @learning @doc:buffering/cons:item-7 @doc:routes-learning/cons:item-7
  Rule: GraphQL with an id

    Scenario Outline: GraphQL finds a row by its id only on the cell that has it, <case>
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And anna visits "/api/graphql?query=%7BmergeRequest(id:%22gid://gitlab/MergeRequest/{id}%22)%7Btitle%7D%7D" of the last record on <cell> directly
      Then anna sees the text '"mergeRequest":<found>' (TD-11)

      Examples:
        | case               | cell     | found |
        | the owner          | cell_eu0 | {     |
        | the cell beside it | cell_eu1 | null  |
        | a cell abroad      | cell_us1 | null  |

    Scenario: GraphQL with an organization finds a row by its id
      When anna sends POST "/api/v4/projects/5001/merge_requests" with the JSON '{"title": "Fix the login"}' on cell_eu0 directly
      And anna visits "/api/organizations/my-organization/graphql?query=%7BmergeRequest(id:%22gid://gitlab/MergeRequest/{id}%22)%7Btitle%7D%7D" of the last record
      Then anna sees the text '"title":"Fix the login"' (TD-05)
      And cell_eu0 responded last (TD-05)

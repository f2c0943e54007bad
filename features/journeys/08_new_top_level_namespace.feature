@journey
Feature: Creates a new top level namespace
  Anna is asked which organization the namespace belongs to. With my-organization it is created on
  that organization's cell, Cell EU0; with the default, GitLab.com Public, on Cell US0.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @doc:buffering/new-namespace
  Rule: Path or body

    Scenario: a namespace is created on the organization's cell
      When anna creates the group "fresh-company" in "my-organization"
      Then the exchange was (NS-02)
        """
        user->>router_eu: POST /organizations/my-organization/groups
        opt the router picks another cell
          router_eu->>cell_eu1: POST /organizations/my-organization/groups
          cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        end
        router_eu->>cell_eu0: POST /organizations/my-organization/groups
        cell_eu0-->>user: 302 /fresh-company
        """

    Scenario: a namespace is created on the organization's cell by the US router
      Given a cold US router
      When anna creates the group "fresh-company" in "my-organization" through the US router
      Then the exchange was (BF-05)
        """
        user->>router_us: POST /organizations/my-organization/groups
        router_us->>any_us_cell: POST /organizations/my-organization/groups
        any_us_cell-->>router_us: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        %% NS-02 any cell may take the request
        router_us->>cell_eu0: POST /organizations/my-organization/groups
        cell_eu0-->>user: 302 /fresh-company
        """
      And every copy of the request carried the same method, target and body (BF-04)

    Scenario: a namespace without an organization is created on the legacy cell
      When anna creates the group "fresh-company" without choosing an organization
      Then the exchange was (RG-02)
        """
        user->>router_eu: POST /groups
        router_eu->>any_eu_cell: POST /groups
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        %% NS-03 nothing selected means GitLab.com Public
        router_eu->>cell_us0: POST /groups
        cell_us0-->>user: 302 /fresh-company
        """
      And every copy of the request carried the same method, target and body (BF-04)

    Scenario: a namespace is created on the cell of the organization in the body
      When anna sends POST "/groups" with the form "path=fresh-company&organization=my-organization", asking cell_eu1 first
      Then the exchange was (BF-07)
        """
        user->>router_eu: POST /groups
        router_eu->>cell_eu1: POST /groups
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: POST /groups
        cell_eu0-->>user: 302 /fresh-company
        """
      And every copy of the request carried the same method, target and body (BF-04)

    Scenario: a namespace needs no redirect if the router picks its owner
      When anna sends POST "/groups" with the form "path=fresh-company&organization=my-organization", asking cell_eu0 first
      Then the exchange was (BF-12)
        """
        user->>router_eu: POST /groups
        router_eu->>cell_eu0: POST /groups
        cell_eu0-->>user: 302 /fresh-company
        """

    @req:BF-03
    Scenario: a new namespace is found from the other region
      Given a cold US router
      When anna creates the group "fresh-company" in "my-organization"
      And anna follows the redirect through the US router
      Then anna gets status 200 (RT-08)
      And the last exchange was (BF-03)
        """
        user->>router_us: GET /fresh-company
        router_us->>any_us_cell: GET /fresh-company
        %% NS-05 every cell knows the owner
        any_us_cell-->>router_us: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_us->>cell_eu0: GET /fresh-company
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/fresh-company/}]
        """

  @learning @doc:routes-learning/new-namespace
  Rule: Path alone

    Scenario: a namespace is created after a pre-flight about the organization
      When anna creates the group "fresh-company" in "my-organization"
      Then the exchange was (LN-03)
        """
        user->>router_eu: POST /organizations/my-organization/groups
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/organizations/my-organization/groups
        any_eu_cell-->>router_eu: 200 {path: "/organizations/my-organization", cell: "cell_eu0", source: "routable"}
        %% LN-10 a write is processed exactly once
        router_eu->>cell_eu0: POST /organizations/my-organization/groups
        cell_eu0-->>user: 302 /fresh-company
        """
      And every pre-flight came without a body (LN-11)

    Scenario: a namespace is created after a pre-flight of the US router
      Given a cold US router
      When anna creates the group "fresh-company" in "my-organization" through the US router
      Then the exchange was (LN-01)
        """
        user->>router_us: POST /organizations/my-organization/groups
        %% choice LN-17
        router_us->>any_us_cell: GET {learn}?method=POST&path_info=/organizations/my-organization/groups
        any_us_cell-->>router_us: 200 {path: "/organizations/my-organization", cell: "cell_eu0", source: "routable"}
        %% NS-02 any cell may be asked
        router_us->>cell_eu0: POST /organizations/my-organization/groups
        cell_eu0-->>user: 302 /fresh-company
        """

    Scenario: a namespace without an organization is created on the legacy cell
      When anna creates the group "fresh-company" without choosing an organization
      Then the exchange was (LN-07)
        """
        user->>router_eu: POST /groups
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/groups
        any_eu_cell-->>router_eu: 200 {path: "/groups", cell: "cell_us0", source: "fixed"}
        %% NS-03 nothing selected means GitLab.com Public
        router_eu->>cell_us0: POST /groups
        cell_us0-->>user: 302 /fresh-company
        """

    Scenario: an organization in the body does not change the route
      When anna sends POST "/groups" with the form "path=fresh-company&organization=my-organization"
      Then cell_us0 responded last (LN-11)
      And every pre-flight came without a body (LN-11)
      And every request reached exactly one cell (LN-10)

    @req:LN-01
    Scenario: a new namespace is learned in the other region
      Given a cold US router
      When anna creates the group "fresh-company" in "my-organization"
      And anna follows the redirect through the US router
      Then anna gets status 200 (LN-10)
      And the last exchange was (LN-01)
        """
        user->>router_us: GET /fresh-company
        %% choice LN-17
        router_us->>any_us_cell: GET {learn}?method=GET&path_info=/fresh-company
        %% NS-05 every cell knows the owner
        any_us_cell-->>router_us: 200 {path: "/fresh-company", cell: "cell_eu0", source: "routable"}
        router_us->>cell_eu0: GET /fresh-company
        cell_eu0-->>user: 200
        """

    Scenario: a namespace missed before its creation is learned after it
      Given anna visited "/fresh-company"
      When anna creates the group "fresh-company" in "my-organization"
      And anna follows the redirect
      Then the last exchange was (Z-34)
        """
        user->>router_eu: GET /fresh-company
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/fresh-company
        any_eu_cell-->>router_eu: 200 {path: "/fresh-company", cell: "cell_eu0", source: "routable"}
        router_eu->>cell_eu0: GET /fresh-company
        cell_eu0-->>user: 200
        """

  @buffering @learning @doc:buffering/new-namespace @doc:routes-learning/new-namespace
  Rule: Organization choice

    Scenario: the form for a group asks for the organization
      When anna visits "/groups/new"
      Then anna sees the page "New group" (NS-01)
      And anna sees the text "My Organization" (NS-01)
      And anna sees the text "GitLab.com Public" (NS-03)

    Scenario: a chosen organization decides on the cell
      When anna creates the group "fresh-company" in "my-organization"
      Then the path "/fresh-company" belongs to cell_eu0 (NS-02)

    Scenario: a namespace without an organization is public
      When anna creates the group "fresh-company" without choosing an organization
      And anna follows the redirect
      Then anna sees the text "Organization: GitLab.com Public" (NS-03)
      And the path "/fresh-company" belongs to cell_us0 (NS-03)

    Scenario: a public namespace is marked as isolated
      When anna creates the group "fresh-company" without choosing an organization
      And anna follows the redirect
      Then anna sees the notice "isolated" (NS-03)

    Scenario: a public namespace is not on the organization's dashboard
      When anna creates the group "fresh-company" without choosing an organization
      And anna visits "/organizations/my-organization/-/dashboard"
      Then anna sees the page "My Company Dashboard" (NS-04)
      And anna does not see the text "fresh-company" (NS-04)

    Scenario: a new namespace is known to every cell
      When anna sends POST "/organizations/my-organization/groups" with the form "path=fresh-company&visibility=public"
      And every cell is asked about "/fresh-company"
      Then every cell points to cell_eu0 (NS-05)

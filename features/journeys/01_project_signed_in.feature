@journey
Feature: Navigates to /my-company/my-project while logged in
  Anna's default organization is my-organization, which lives on Cell EU0. She visits one of its
  projects through a cold EU router.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @doc:buffering/project-signed-in
  Rule: Internal redirect

    @req:BF-03
    @doc:buffering/project-signed-in:drawing @doc:buffering/project-signed-in:item-2 @doc:buffering/project-signed-in:item-3
    @doc:buffering/project-signed-in:item-4
    Scenario: a cold router finds the owner by way of another cell
      When anna visits "/my-company/my-project", asking cell_eu1 first
      Then anna sees the page "My Project" (RT-08)
      And the exchange was (BF-03)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>router_eu: 302 /my-company/my-project X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-project
        %% CA-05 the owner sends a cache header
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    Scenario: a cold router that picks the owner needs no redirect
      When anna visits "/my-company/my-project", asking cell_eu0 first
      Then anna sees the page "My Project" (BF-12)
      And there was no pre-flight (BF-01)
      And the exchange was (BF-12)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    @req:BF-10
    Scenario: a cold router follows the redirect to one of three cells
      Given cell_eu2 is also in the topology
      When anna visits "/my-company/my-project", asking cell_eu1 first
      Then anna sees the page "My Project" (RT-08)
      And the exchange was (BF-10)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu1: GET /my-company/my-project
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    Scenario: a cold router that picks the owner of three cells needs no redirect
      Given cell_eu2 is also in the topology
      When anna visits "/my-company/my-project", asking cell_eu0 first
      Then the exchange was (BF-12)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    Scenario: an internal redirect does not reach the user
      When anna visits "/my-company/my-project", asking cell_eu1 first
      Then anna gets the response of cell_eu0 (RT-08)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (BF-03)
      And no page outside the Admin Area names a cell (RT-12)

  @learning @doc:routes-learning/project-signed-in
  Rule: Owner pre-flight

    @doc:routes-learning/project-signed-in:drawing @doc:routes-learning/project-signed-in:item-2
    @doc:routes-learning/project-signed-in:item-3 @doc:routes-learning/project-signed-in:item-4
    Scenario: a cold router asks before it sends the request
      When anna visits "/my-company/my-project", asking cell_eu1 first
      Then anna sees the page "My Project" (LN-18)
      And the exchange was (LN-18)
        """
        user->>router_eu: GET /my-company/my-project
        %% choice LN-17
        router_eu->>cell_eu1: GET {learn}?method=GET&path_info=/my-company/my-project
        cell_eu1-->>router_eu: 200 {path: "/my-company", cell: "cell_eu0", source: "routable"}
        %% LN-10 the request itself is sent exactly once
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200
        """

    Scenario: a cold router gets the same learn response from three cells
      Given cell_eu2 is also in the topology
      When anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (LN-18)
      And the exchange was (LN-18)
        """
        user->>router_eu: GET /my-company/my-project
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/my-company/my-project
        %% LN-09 every cell can respond
        any_eu_cell-->>router_eu: 200 {path: "/my-company", cell: "cell_eu0", source: "routable"}
        %% LN-10 the request itself is sent exactly once
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>user: 200
        """

    @any-cache
    Scenario: a page is the owner's and names no cell
      When anna visits "/my-company/my-project"
      Then anna gets the response of cell_eu0 (LN-10)
      And no page outside the Admin Area names a cell (RT-12)

  @buffering @learning @doc:buffering/project-signed-in @doc:routes-learning/project-signed-in
  Rule: Visits without writes

    @any-cache
    Scenario: a visit to a project writes to no database
      When anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (RT-01)
      And no database was written (RG-05)

@journey
Feature: A single cell
  A self-managed installation has one cell, which owns everything. It needs no router. With one it
  behaves the same.

  Background:
    Given the installation of the cell "cell_us0"
    And anna is signed in

  @buffering @doc:buffering/pros:item-6 @doc:routes-learning/pros:item-6
  Rule: Single cell without a router

    Scenario Outline: the cell serves a page directly
      When anna visits "<path>" on cell_us0 directly
      Then anna sees the page "<page>" (SC-01)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

      Examples:
        | path                                       | page                 |
        | /my-company/my-project                     | My Project           |
        | /gitlab-org/gitlab                         | GitLab.org / GitLab  |
        | /organizations/my-organization/-/dashboard | My Company Dashboard |
        | /groups/new                                | New group            |

    Scenario: a page takes one request and one response
      When anna visits "/my-company/my-project" on cell_us0 directly
      Then anna sees the page "My Project" (SC-01)
      And the exchange was (SC-02)
        """
        user->>cell_us0: GET /my-company/my-project
        cell_us0-->>user: 200 without X-Gitlab-Cell-Redirect
        """

    Scenario: the root leads to the default organization
      When anna visits "/" on cell_us0 directly
      Then anna is redirected to "/organizations/my-organization/-/dashboard" (SC-01)

    Scenario: a private project of another user is a 404
      When anna visits "/not-my-company/not-my-project" on cell_us0 directly
      Then anna gets status 404 (SC-01)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

    Scenario: a private page leads to the sign-in page
      When visitor visits "/my-company/my-project" on cell_us0 directly
      Then visitor is redirected to "/users/sign_in?redirect=/my-company/my-project" (SC-01)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (SC-03)

    Scenario: a login leads to a private project
      When nina visits "/users/sign_in?redirect=/not-my-company/not-my-project" on cell_us0 directly
      And nina signs in on cell_us0 directly
      And nina visits "/not-my-company/not-my-project" on cell_us0 directly
      Then nina sees the page "Not My Project" (SC-01)

  @buffering @doc:buffering/pros:item-6
  Rule: Single cell under buffering

    Scenario: a page takes one hop
      Given a cold US router
      When anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (SC-04)
      And the exchange was (SC-04)
        """
        user->>router_us: GET /my-company/my-project
        router_us->>cell_us0: GET /my-company/my-project
        %% SC-03 there is no other cell
        cell_us0-->>user: 200 without X-Gitlab-Cell-Redirect
        """

    Scenario: the root and the dashboard take one hop each
      Given a cold US router
      When anna visits "/"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (SC-04)
      And the exchange was (SC-04)
        """
        user->>router_us: GET /
        router_us->>cell_us0: GET /
        cell_us0-->>user: 302 /organizations/my-organization/-/dashboard
        user->>router_us: GET /organizations/my-organization/-/dashboard
        router_us->>cell_us0: GET /organizations/my-organization/-/dashboard
        cell_us0-->>user: 200
        """

  @learning @doc:routes-learning/pros:item-6
  Rule: Single cell under learning

    Scenario: a page takes a pre-flight and one hop
      Given a cold US router
      When anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (SC-04)
      And the exchange was (SC-04)
        """
        user->>router_us: GET /my-company/my-project
        %% choice LN-17
        router_us->>cell_us0: GET {learn}?method=GET&path_info=/my-company/my-project
        cell_us0-->>router_us: 200 {path: "/my-company", cell: "cell_us0", source: "routable"}
        %% LN-10 the request itself is sent exactly once
        router_us->>cell_us0: GET /my-company/my-project
        %% SC-03 there is no other cell
        cell_us0-->>user: 200 without X-Gitlab-Cell-Redirect
        """

    Scenario: the root takes one hop with or without a pre-flight
      Given a cold US router
      When anna visits "/"
      And anna follows the redirect
      Then anna sees the page "My Company Dashboard" (SC-04)
      And the exchange was (SC-04)
        """
        user->>router_us: GET /
        opt the router asks about the root too
          %% choice LN-17
          router_us->>cell_us0: GET {learn}?method=GET&path_info=/
          cell_us0-->>router_us: 404
        end
        router_us->>cell_us0: GET /
        cell_us0-->>user: 302 /organizations/my-organization/-/dashboard
        user->>router_us: GET /organizations/my-organization/-/dashboard
        %% choice LN-17
        router_us->>cell_us0: GET {learn}?method=GET&path_info=/organizations/my-organization/-/dashboard
        cell_us0-->>router_us: 200 {path: "/organizations/my-organization", cell: "cell_us0", source: "routable"}
        router_us->>cell_us0: GET /organizations/my-organization/-/dashboard
        cell_us0-->>user: 200
        """

  @buffering @learning @doc:buffering/pros:item-6 @doc:routes-learning/pros:item-6
  Rule: Single cell behind any router

    Scenario: a login succeeds through the router
      Given a cold US router
      When nina visits "/not-my-company/not-my-project"
      And nina follows the redirect
      And nina signs in
      And nina follows the redirect
      Then nina sees the page "Not My Project" (SC-04)
      And every user got a cell's response unchanged (SC-04)

    Scenario Outline: a page of the cell reaches the user unchanged
      Given a cold US router
      When anna visits "<path>"
      Then anna gets the response of cell_us0 (SC-04)

      Examples:
        | case         | path                   |
        | private page | /my-company/my-project |
        | missing page | /no-such-company       |

@journey
Feature: An organization is moved from one cell to another
  The proposals leave this flow open. By their rules my-organization moves from Cell EU0 to Cell US1
  while the EU router still caches the former owner. The learning proposal contradicts itself: cells
  "know how to redirect back" and "the user still gets the right response", yet a request is sent
  once and no cell can redirect it. The suite follows decision A-70: the user may get a 404 until the
  entry expires. No document asks for that 404.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @doc:buffering/organization-moved
  Rule: Move under buffering

    @req:TD-02
    Scenario: the first request after a move is redirected to the new owner
      Given anna visited "/my-company/my-project"
      When the organization "my-organization" moves to cell_us1
      And anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (TD-01)
      And the exchange was (TD-02)
        """
        user->>router_eu: GET /my-company/my-project
        router_eu->>cell_eu0: GET /my-company/my-project
        cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /my-company/my-project
        cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    @req:TD-02
    Scenario: the second request after a move goes straight to the new owner
      Given anna visited "/my-company/my-project"
      When the organization "my-organization" moves to cell_us1
      And anna visits "/my-company/my-project"
      And anna visits "/my-company/my-other-project"
      Then anna sees the page "My Other Project" (TD-01)
      And the last exchange was (TD-02)
        """
        user->>router_eu: GET /my-company/my-other-project
        router_eu->>cell_us1: GET /my-company/my-other-project
        cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

    @req:TD-02
    Scenario: the organization's own pages move as well
      Given anna visited "/organizations/my-organization/-/dashboard"
      When the organization "my-organization" moves to cell_us1
      And anna visits "/organizations/my-organization/-/dashboard"
      Then anna sees the page "My Company Dashboard" (TD-01)
      And the exchange was (TD-02)
        """
        user->>router_eu: GET /organizations/my-organization/-/dashboard
        router_eu->>cell_eu0: GET /organizations/my-organization/-/dashboard
        cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /organizations/my-organization/-/dashboard
        cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/organizations/my-organization/}]
        """

  @learning @doc:routes-learning/organization-moved
  Rule: Move under learning

    @req:TD-03
    Scenario: an expired entry is replaced by the new owner
      Given cache entries live 400 ms
      And anna visited "/my-company/my-project"
      When the organization "my-organization" moves to cell_us1
      And the entries' time to live passes
      And anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (TD-01)
      And the exchange was (TD-03)
        """
        user->>router_eu: GET /my-company/my-project
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/my-company/my-project
        any_eu_cell-->>router_eu: 200 {path: "/my-company", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: GET /my-company/my-project
        cell_us1-->>user: 200
        """

    Scenario: a stale entry may cause 404s while it lives
      Given anna visited "/my-company/my-project"
      When the organization "my-organization" moves to cell_us1
      And anna visits "/my-company/my-project"
      Then the exchange was (LN-10)
        """
        user->>router_eu: GET /my-company/my-project
        alt the router has evicted the entry
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/my-company/my-project
          any_eu_cell-->>router_eu: 200 {path: "/my-company", cell: "cell_us1", source: "routable"}
          router_eu->>cell_us1: GET /my-company/my-project
          cell_us1-->>user: 200
        else the entry is still in use
          router_eu->>cell_eu0: GET /my-company/my-project
          %% RT-07 the former owner does not serve it and sends no redirect header
          cell_eu0-->>user: 404 [cell: without X-Gitlab-Cell-Redirect]
        end
        """

  @buffering @learning @doc:buffering/organization-moved @doc:routes-learning/organization-moved
  Rule: Move without an entry

    Scenario: a cold router serves a project from its new cell
      When the organization "my-organization" moves to cell_us1
      And anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (TD-01)
      And cell_us1 responded last (TD-01)

@journey
Feature: Global search
  The proposals leave this flow open. It is a global page, so a legacy user searches (A-83), and it
  comes from Cell US0 like the dashboard (GL-06). It looks in the shared routes for the public path
  that was typed.

  Background:
    Given gabe is signed in
    And a cold EU router

  @buffering @doc:buffering/global-search
  Rule: Search by redirect

    @doc:buffering/team-member
    Scenario: a search of a legacy user is served by the legacy cell
      When gabe visits "/search?search=gitlab-org/gitlab"
      Then gabe sees the text '<a href="/gitlab-org/gitlab">' (TD-08)
      And the exchange was (TD-08)
        """
        user->>router_eu: GET /search?search=gitlab-org/gitlab
        router_eu->>any_eu_cell: GET /search?search=gitlab-org/gitlab
        %% GL-06 every cell names the legacy cell
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /search?search=gitlab-org/gitlab
        cell_us0-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/global-search
  Rule: Search by pre-flight

    @doc:routes-learning/team-member
    Scenario: a search is fixed to the legacy cell
      When gabe visits "/search?search=gitlab-org/gitlab"
      Then gabe sees the text '<a href="/gitlab-org/gitlab">' (TD-08)
      And the exchange was (TD-08)
        """
        user->>router_eu: GET /search?search=gitlab-org/gitlab
        %% LN-03 the query is no part of the path
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/search
        %% GL-06 every cell names the legacy cell
        any_eu_cell-->>router_eu: 200 {path: "/search", cell: "cell_us0", source: "fixed", exact: true}
        router_eu->>cell_us0: GET /search?search=gitlab-org/gitlab
        cell_us0-->>user: 200
        """

  @buffering @learning @doc:buffering/global-search @doc:routes-learning/global-search
  Rule: Search as the user sees it

    @any-cache
    Scenario: a search result is the response of one cell
      When gabe visits "/search?search=project"
      Then every user got a cell's response unchanged (TD-08)
      And the last request reached cells at most 2 times (TD-08)

    Scenario: a repeated search gets a response each time
      When gabe visits "/search?search=project" 3 times
      Then every user got a cell's response unchanged (TD-08)

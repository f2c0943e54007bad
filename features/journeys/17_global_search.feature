@journey
Feature: Global search
  The proposals leave this flow open. The cell that is asked looks in the shared routes for the
  public path that was typed. It is a global page, so a legacy user searches (A-83).

  Background:
    Given the cells and people of the documents
    And gabe is signed in
    And a cold EU router

  @buffering @doc:buffering/global-search
  Rule: Search on the picked cell

    @req:TD-08
    Scenario: a search is served by one cell
      When gabe visits "/search?search=project"
      Then gabe gets status 200 (TD-08)
      And the exchange was (TD-08)
        """
        user->>router_eu: GET /search?search=project
        router_eu->>any_eu_cell: GET /search?search=project
        any_eu_cell-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/global-search
  Rule: Search on some cell

    @req:TD-08 @req:LN-03 @req:Z-34
    Scenario: a search is served by some cell after a pre-flight
      When gabe visits "/search?search=project"
      Then gabe gets status 200 (TD-08)
      And the exchange was (TD-08)
        """
        user->>router_eu: GET /search?search=project
        %% LN-03 the query is no part of the path
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/search
        any_eu_cell-->>router_eu: 404
        %% Z-34 the request is sent once, at home or to the latest cell
        alt a cell of the region responds
          router_eu->>any_eu_cell: GET /search?search=project
          any_eu_cell-->>user: 200
        else the latest cell responds
          router_eu->>cell_us0: GET /search?search=project
          cell_us0-->>user: 200
        end
        """

  @buffering @learning @doc:buffering/global-search @doc:routes-learning/global-search
  Rule: Search as the user sees it

    @req:TD-08 @any-cache
    Scenario: a search result is the response of one cell
      When gabe visits "/search?search=project"
      Then every user got a cell's response unchanged (TD-08)
      And the last request reached exactly one cell (TD-08)

    @req:TD-08
    Scenario: a repeated search gets a response each time
      When gabe visits "/search?search=project" 3 times
      Then every user got a cell's response unchanged (TD-08)

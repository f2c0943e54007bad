@journey
Feature: The autocomplete suggestion functionality in the search bar
  The proposals leave this flow open. The fake cells remember no recent items: the cell that is
  asked suggests pages that every user has.

  Background:
    Given anna is signed in
    And a cold EU router

  @buffering @doc:buffering/autocomplete
  Rule: Suggestions of the picked cell

    Scenario: a suggestion comes from one cell
      When anna visits "/search/autocomplete?term=my"
      Then anna gets status 200 (TD-07)
      And the exchange was (TD-07)
        """
        user->>router_eu: GET /search/autocomplete?term=my
        router_eu->>any_eu_cell: GET /search/autocomplete?term=my
        any_eu_cell-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/autocomplete
  Rule: Suggestions of some cell

    Scenario: a suggestion comes from some cell after a pre-flight
      When anna visits "/search/autocomplete?term=my"
      Then anna gets status 200 (TD-07)
      And the exchange was (TD-07)
        """
        user->>router_eu: GET /search/autocomplete?term=my
        %% LN-03 the query is no part of the path
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/search/autocomplete
        any_eu_cell-->>router_eu: 404
        %% Z-34 the request is sent once, at home or to the latest cell
        alt a cell of the region responds
          router_eu->>any_eu_cell: GET /search/autocomplete?term=my
          any_eu_cell-->>user: 200
        else the latest cell responds
          router_eu->>cell_us0: GET /search/autocomplete?term=my
          cell_us0-->>user: 200
        end
        """

  @buffering @learning @doc:buffering/autocomplete @doc:routes-learning/autocomplete
  Rule: Suggestions as the user sees them

    @any-cache
    Scenario: a suggestion is the response of one cell
      When anna visits "/search/autocomplete?term=my"
      Then every user got a cell's response unchanged (TD-07)
      And the last request reached exactly one cell (TD-07)

    Scenario: a repeated suggestion gets a response each time
      When anna visits "/search/autocomplete?term=my" 3 times
      Then every user got a cell's response unchanged (TD-07)

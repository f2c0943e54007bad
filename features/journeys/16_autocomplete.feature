@journey
Feature: The autocomplete suggestion functionality in the search bar
  The documents leave this flow open. Suggestions of recent items come from the cell that is asked.

  Background:
    Given the cells and people of the documents
    And anna is signed in
    And a cold EU router

  @buffering @doc:buffering/autocomplete
  Rule: Buffering: the cell that is asked responses

    @req:TD-07
    Scenario: a suggestion passes through one cell
      When anna visits "/search/autocomplete?term=my"
      Then anna gets status 200 (TD-07)
      And the exchange was (TD-07)
        """
        user->>router_eu: GET /search/autocomplete?term=my
        router_eu->>any_eu_cell: GET /search/autocomplete?term=my
        any_eu_cell-->>user: 200 [cell: without X-Gitlab-Cell-Cache]
        """

  @learning @doc:routes-learning/autocomplete
  Rule: Learning: no cell is named, and some cell responds

    @req:TD-07 @req:LN-03 @req:Z-34
    Scenario: a suggestion passes through some cell after a pre-flight
      When anna visits "/search/autocomplete?term=my"
      Then anna gets status 200 (TD-07)
      And the exchange was (TD-07)
        """
        user->>router_eu: GET /search/autocomplete?term=my
        %% LN-03 the query is no part of the path
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/search/autocomplete
        any_eu_cell-->>router_eu: 404
        %% Z-34 the request goes once, at home or to the latest cell
        alt a cell of the region responds
          router_eu->>any_eu_cell: GET /search/autocomplete?term=my
          any_eu_cell-->>user: 200
        else the latest cell responds
          router_eu->>cell_us0: GET /search/autocomplete?term=my
          cell_us0-->>user: 200
        end
        """

  @buffering @learning @doc:buffering/autocomplete @doc:routes-learning/autocomplete
  Rule: Both: the suggestion does not break

    @req:TD-07 @any-cache
    Scenario: the response of a cell comes back
      When anna visits "/search/autocomplete?term=my"
      Then every response reached its user as a cell gave it (TD-07)
      And the last request reached exactly one cell (TD-07)

    @req:TD-07
    Scenario: a suggestion is repeated without harm
      When anna visits "/search/autocomplete?term=my" 3 times
      Then every response reached its user as a cell gave it (TD-07)

@journey
Feature: Navigates to /not-my-company/not-my-project while logged in, without access
  The project is private and lives on Cell US1. Anna may not see it, and gets what she would get
  if it did not exist.

  Background:
    Given anna is signed in
    And nina is signed in
    And a cold EU router

  @buffering @doc:buffering/private-project
  Rule: 404 by redirect

    @doc:buffering/private-project:drawing @doc:buffering/private-project:item-2 @doc:buffering/private-project:item-3
    Scenario: a cached owner returns the 404 to a user without access
      Given nina visited "/not-my-company/not-my-project"
      When anna visits "/not-my-company/not-my-project"
      Then the exchange was (CA-09)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        %% PR-01 the owner's 404 is passed on
        cell_us1-->>user: 404
        """

    Scenario: a cold router gets the owner's 404 after a redirect
      When anna visits "/not-my-company/not-my-project"
      Then the exchange was (BF-03)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        router_eu->>any_eu_cell: GET /not-my-company/not-my-project
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        %% PR-02 drawn without a cache header
        cell_us1-->>user: 404 [cell: without X-Gitlab-Cell-Cache]
        """

    Scenario: a 404 of the owner adds no cache entry
      Given cell_us1 responds to "/not-my-company/not-my-project" with the status 404
      And anna visited "/not-my-company/not-my-project"
      When anna visits "/not-my-company/not-my-project"
      Then the exchange was (CA-04)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        router_eu->>any_eu_cell: GET /not-my-company/not-my-project
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        cell_us1-->>user: 404
        """

  @learning @doc:routes-learning/private-project
  Rule: 404 by pre-flight

    Scenario: a learned owner returns the 404 at the second visit
      Given anna visited "/not-my-company/not-my-project"
      When anna visits "/not-my-company/not-my-project"
      Then the exchange was (CA-08)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        opt the 404 of the first visit removed the entry
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/not-my-company/not-my-project
          any_eu_cell-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
        end
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        %% PR-01 the owner's 404 is passed on
        cell_us1-->>user: 404
        """

    @doc:routes-learning/private-project:drawing @doc:routes-learning/private-project:item-2 @doc:routes-learning/private-project:item-3
    Scenario: an owner learned for another user returns the 404
      Given nina visited "/not-my-company/not-my-project"
      When anna visits "/not-my-company/not-my-project"
      Then the exchange was (CA-09)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        cell_us1-->>user: 404
        """

    Scenario: a cold router learns the owner for a user without access
      When anna visits "/not-my-company/not-my-project"
      Then the exchange was (LN-01)
        """
        user->>router_eu: GET /not-my-company/not-my-project
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/not-my-company/not-my-project
        %% LN-23 the response does not depend on who asks
        any_eu_cell-->>router_eu: 200 {path: "/not-my-company", cell: "cell_us1", source: "routable"}
        %% PR-01 the owner's 404 is passed on
        router_eu->>cell_us1: GET /not-my-company/not-my-project
        cell_us1-->>user: 404
        """

  @buffering @learning @any-cache @doc:buffering/private-project @doc:routes-learning/private-project
  Rule: Private pages

    @doc:buffering/timing-attack @doc:routes-learning/timing-attack
    Scenario: a private project looks like a missing one
      When anna visits "/not-my-company/not-my-project"
      And anna visits "/no-such-company/no-such-project"
      Then anna gets status 404 (UN-08)
      And the last two responses were indistinguishable (PR-03)

    Scenario: a 404 for a private project does not name it
      When anna visits "/not-my-company/not-my-project"
      Then anna gets status 404 (PR-01)
      And anna does not see the text "not-my-company" (PR-06)
      And no page outside the Admin Area names a cell (RT-12)

    Scenario: a member sees the project after another user's 404
      Given anna visited "/not-my-company/not-my-project"
      When nina visits "/not-my-company/not-my-project"
      Then nina sees the page "Not My Project" (CA-17)

  # The figures of the documents; what a measurement makes of them stands in CONTRIBUTING.md.
  @buffering @learning @doc:buffering/timing-attack @doc:routes-learning/timing-attack
  Rule: Time of a 404

    Scenario: a 404 from another region takes the time of both regions
      Given the cells of the EU region respond after 10 ms
      And the cells of the US region respond after 60 ms
      When anna visits "/not-my-company/not-my-project"
      Then anna gets status 404 (RG-06)
      And cell_us1 responded last (RG-06)
      And the response to anna took at least 70 ms (RG-06)

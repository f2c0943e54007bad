@hardening @capability:upgrade
Feature: WebSockets
  A connection that is to become a WebSocket goes to the cell that owns the place, as any request does, and lasts. Who does
  not own it sends no 101.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/tools" on cell_eu1
    And a cold EU router

  Rule: To the owner

    @buffering @req:Z-23
    Scenario Outline: whoever is asked
      When anna opens a WebSocket at "/tools/-/cable", asking <asked> first
      And anna says "hello"
      Then anna was connected to cell_eu1 (Z-23)
      And anna heard "cell_eu1: hello" (Z-23)

      Examples:
        | asked    |
        | cell_eu0 |
        | cell_eu1 |

    # That of the whole installation: any cell will do.
    @buffering @learning @req:Z-23
    Scenario: to no place in particular
      When anna opens a WebSocket at "/-/cable"
      Then anna gets status 101 (Z-23)
      And the last request reached exactly one cell (Z-23)

    @buffering @learning @req:Z-23
    Scenario: in the region
      When anna opens a WebSocket at "/tools/-/cable"
      And anna says "hello"
      Then anna was connected to cell_eu1 (Z-23)
      And anna heard "cell_eu1: hello" (Z-23)

    @buffering @learning @req:Z-23
    Scenario: in another region
      When anna opens a WebSocket at "/acme/-/cable"
      And anna says "hello"
      And anna says "once more, with feeling"
      And anna closes the WebSocket
      Then anna was connected to cell_us1 (Z-23)
      And anna heard "cell_us1: hello" (Z-23)
      And anna heard "cell_us1: once more, with feeling" (Z-23)
      And nothing was sent again (Z-23)

    @buffering @learning @req:Z-23
    Scenario: to a place that is known
      Given anna visited "/acme/things"
      When anna opens a WebSocket at "/acme/-/cable"
      And anna says "hello"
      Then anna was connected to cell_us1 (Z-23)
      And anna heard "cell_us1: hello" (Z-23)
      And the last request reached exactly one cell (Z-23)

    @buffering @learning @req:Z-23
    Scenario: to a private place
      Given anna is signed in
      When anna opens a WebSocket at "/my-company/-/cable"
      And anna says "hello"
      Then anna was connected to cell_eu0 (Z-23)
      And anna heard "cell_eu0: hello" (Z-23)

  Rule: It lasts

    @buffering @learning @req:Z-23
    Scenario: while others come and go
      When anna opens a WebSocket at "/acme/-/cable"
      And nina opens a WebSocket at "/tools/-/cable"
      And visitor visits "/acme/things"
      And anna says "hello"
      And nina says "good day"
      And visitor visits "/acme/more"
      Then anna heard "cell_us1: hello" (Z-23)
      And nina heard "cell_eu1: good day" (Z-23)
      And visitor gets the response of cell_us1 (Z-23)

  Rule: Where there is none

    @buffering @learning @req:Z-23
    Scenario: nobody asks for one
      When visitor visits "/acme/-/cable"
      Then visitor gets the response of cell_us1 (Z-23)
      And visitor gets status 426 (Z-23)

    @buffering @learning @req:Z-23
    Scenario: the cell wants none
      Given cell_us1 responds to "/acme/-/cable" with:
        """
        403
        Content-Type: text/plain

        not from there
        """
      When anna opens a WebSocket at "/acme/-/cable"
      Then anna gets the response of cell_us1 (Z-23)

    @buffering @learning @req:Z-35
    Scenario: its owner is down
      Given cell_us1 refuses connections
      When anna opens a WebSocket at "/acme/-/cable"
      Then the router refused the request (Z-35)

    @buffering @learning @req:Z-23
    Scenario: a place of nobody
      When anna opens a WebSocket at "/nobody/knows/-/cable"
      And visitor visits "/acme/things"
      Then anna gets status 404 (Z-23)
      And visitor gets the response of cell_us1 (Z-23)

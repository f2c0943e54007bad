@hardening
Feature: Unsolicited requests
  A request at a cell that no user sent can change data, count as a visit, or tell others what a
  user does. The suite looks for such requests in every scenario with a router. These scenarios are
  about requests that tempt a router to send one more.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Cells get requests of users alone

    @buffering @learning
    Scenario Outline: <request> causes no second request
      Given visitor visited "/acme/things"
      When visitor sends:
        """
        GET /acme/report
        <field>

        """
      Then every request reached exactly one cell (Z-75)

      Examples:
        | request               | field                                            |
        | a range request       | Range: bytes=0-9                                 |
        | a conditional request | If-Modified-Since: Mon, 06 Jul 2026 10:00:00 GMT |
        | a prefetch            | Sec-Purpose: prefetch                            |

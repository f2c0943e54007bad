@hardening @buffering @learning
Feature: Addresses of cells in response fields
  A cell that knows no public name puts its own address into fields. Users cannot reach it, and
  need not know it. Location has separate scenarios.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a field that refers to a cell does not show its address
    Given cell_us1 names its own address in its response to "/acme/things":
      """
      <field>: <value>
      """
    When visitor visits "/acme/things"
    Then the response to visitor names no cell's address (Z-87)
    And visitor gets status 200 (Z-87)

    Examples:
      | field            | value                                             |
      | Refresh          | 5; url=http://{address}/acme                      |
      | Content-Location | http://{address}/acme/things                      |
      | Alt-Svc          | h2="{address}"; ma=60                             |
      | Link             | <http://{address}/acme/things?page=2>; rel="next" |

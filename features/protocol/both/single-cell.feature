@protocol @buffering @learning @doc:buffering/pros:item-6 @doc:routes-learning/pros:item-6
Feature: A router in front of a single cell
  With one cell there is no choice to make. The router is a plain proxy.

  Background:
    Given the installation of the cell "cell_us0"
    And a cold US router

  Scenario: a page is fetched from the single cell
    When visitor visits "/gitlab-org/gitlab"
    And visitor visits "/gitlab-org/gitlab-test"
    And visitor visits "/"
    And visitor visits "/nobody/knows/this"
    Then every request reached exactly one cell (SC-04)
    And every user got a cell's response unchanged (SC-04)

  Scenario: a request with a body reaches the single cell once
    Given the namespace "/acme" on cell_us0
    When visitor sends POST "/acme/things" with 65536 random bytes
    Then every request reached exactly one cell (SC-04)
    And the cell received the complete body (SC-04)
    And visitor gets the response of cell_us0 (SC-04)

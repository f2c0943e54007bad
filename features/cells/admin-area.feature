@cells @buffering
Feature: The Admin Area of each cell
  Only the Admin Area says which cell served a page.

  Background:
    Given olga is signed in

  @doc:buffering/admin-page @doc:routes-learning/admin-page
  Scenario Outline: an admin page names the cell that serves it
    When olga visits "/admin/cells/<slug>" on <cell> directly
    Then olga sees the text 'id="cell"><name>' (AD-06)

    Examples:
      | slug    | cell     | name     |
      | cellus0 | cell_us0 | Cell US0 |
      | celleu1 | cell_eu1 | Cell EU1 |

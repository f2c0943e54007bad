@cells @buffering @doc:buffering/admin-settings @doc:routes-learning/admin-settings
Feature: Settings that differ between cells
  Admin settings are shared rows of `gitlab_admin`. Where cells differ, one row is a template that
  each cell fills in, or a table has a row for each cell. Either way one page lists them all.

  Background:
    Given olga is signed in

  Rule: One value for all cells

    Scenario: a shared setting is the same on all cells
      Given settings are the same on all cells
      When olga sends POST "/admin/cells/cellus1/settings" with the form "elasticsearch_url=http%3A%2F%2Fone.example%3A9200" on cell_us1 directly
      And olga visits "/admin/cells/celleu1/settings" on cell_eu1 directly
      Then olga sees the text "cellus0 elasticsearch_url=http://one.example:9200" (AD-08)
      And olga sees the text "celleu1 elasticsearch_url=http://one.example:9200" (AD-08)
      And the write to "gitlab_admin" went to the primary (DB-03)

  Rule: A template that each cell fills in

    Scenario Outline: <cell> uses its own address of Elasticsearch
      Given settings are templates that each cell fills in
      When olga visits "/admin/cells/<slug>/settings" on <cell> directly
      Then olga sees the text "<slug> elasticsearch_url=http://search.<slug>.internal:9200" (AD-10)

      Examples:
        | cell     | slug    |
        | cell_us0 | cellus0 |
        | cell_us1 | cellus1 |
        | cell_eu0 | celleu0 |
        | cell_eu1 | celleu1 |

    @req:AD-10
    Scenario: one page lists the address of each cell
      Given settings are templates that each cell fills in
      When olga sends POST "/admin/cells/cellus0/settings" with the form "elasticsearch_url=http%3A%2F%2F%25%7Bcell%7D.example%3A9200" on cell_us0 directly
      And olga visits "/admin/cells/celleu0/settings" on cell_eu0 directly
      Then olga sees the text "cellus1 elasticsearch_url=http://cellus1.example:9200" (AD-12)
      And olga sees the text "celleu1 elasticsearch_url=http://celleu1.example:9200" (AD-10)

  Rule: A table with a row for each cell

    Scenario Outline: a row written on <writer> holds for <cell> alone
      Given settings are rows of a table, one for each cell
      When olga sends POST "/admin/cells/<at>/settings" with the form "cell=<slug>&elasticsearch_url=http%3A%2F%2Fown.example%3A9200" on <writer> directly
      And olga visits "/admin/cells/<slug>/settings" on <cell> directly
      Then olga sees the text "<slug> elasticsearch_url=http://own.example:9200" (AD-11)
      And olga does not see the text "<other> elasticsearch_url=http://own.example:9200" (AD-11)
      And the write to "gitlab_admin" went to the primary (DB-03)

      Examples:
        | writer   | at      | cell     | slug    | other   |
        | cell_us0 | cellus0 | cell_eu1 | celleu1 | celleu0 |
        | cell_eu1 | celleu1 | cell_us1 | cellus1 | celleu1 |
        | cell_eu0 | celleu0 | cell_eu0 | celleu0 | cellus0 |

    Scenario: a new cell without a row uses the shared value
      Given settings are rows of a table, one for each cell
      And cell_eu2 is also in the topology
      When olga sends POST "/admin/cells/cellus0/settings" with the form "elasticsearch_url=http%3A%2F%2Fshared.example%3A9200" on cell_us0 directly
      And olga sends POST "/admin/cells/cellus0/settings" with the form "cell=celleu1&elasticsearch_url=http%3A%2F%2Fown.example%3A9200" on cell_us0 directly
      And olga visits "/admin/cells/celleu2/settings" on cell_eu2 directly
      Then olga sees the text "celleu2 elasticsearch_url=http://shared.example:9200" (AD-11)
      And olga sees the text "celleu1 elasticsearch_url=http://own.example:9200" (AD-12)

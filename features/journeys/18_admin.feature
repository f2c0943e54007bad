@journey
Feature: An administrator loads the /admin page
  Olga operates the installation. Only her pages say which cell serves them.

  Background:
    Given olga is signed in

  @buffering @doc:buffering/admin-page
  Rule: Admin page of any cell

    @doc:buffering/admin-page:item-1 @doc:buffering/admin-page:item-2
    Scenario: a cell of the US router redirects to its own admin page
      Given a cold US router
      When olga visits "/admin"
      Then the exchange was (AD-01)
        """
        user->>router_us: GET /admin
        alt the router picks Cell US0, as drawn
          router_us->>cell_us0: GET /admin
          cell_us0-->>user: 302 /admin/cells/cellus0
        else the router picks Cell US1
          router_us->>cell_us1: GET /admin
          cell_us1-->>user: 302 /admin/cells/cellus1
        end
        """

    @doc:buffering/admin-page:item-1 @doc:buffering/admin-page:item-2 @doc:buffering/admin-page:item-3
    Scenario: an admin page is cached for its further pages
      Given a cold US router
      When olga visits "/admin"
      And olga follows the redirect
      And olga visits the page "/projects" below the last one
      Then the exchange was (AD-01)
        """
        user->>router_us: GET /admin
        alt the router picks Cell US0, as drawn
          router_us->>cell_us0: GET /admin
          cell_us0-->>user: 302 /admin/cells/cellus0
          user->>router_us: GET /admin/cells/cellus0
          opt the router picks Cell US1 this time
            router_us->>cell_us1: GET /admin/cells/cellus0
            cell_us1-->>router_us: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
          end
          router_us->>cell_us0: GET /admin/cells/cellus0
          %% AD-02 the cell's admin pages are cached
          cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/admin/cells/cellus0/}]
          user->>router_us: GET /admin/cells/cellus0/projects
          router_us->>cell_us0: GET /admin/cells/cellus0/projects
          cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/admin/cells/cellus0/}]
          %% AD-01 the cell redirects to itself
        else the router picks Cell US1
          router_us->>cell_us1: GET /admin
          cell_us1-->>user: 302 /admin/cells/cellus1
          user->>router_us: GET /admin/cells/cellus1
          opt the router picks Cell US0 this time
            router_us->>cell_us0: GET /admin/cells/cellus1
            cell_us0-->>router_us: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
          end
          router_us->>cell_us1: GET /admin/cells/cellus1
          %% AD-02 the cell's admin pages are cached
          cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/admin/cells/cellus1/}]
          user->>router_us: GET /admin/cells/cellus1/projects
          router_us->>cell_us1: GET /admin/cells/cellus1/projects
          cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/admin/cells/cellus1/}]
        end
        """

    @doc:buffering/admin-page:item-2
    Scenario: a cell of the EU router redirects to its own admin page
      Given a cold EU router
      When olga visits "/admin"
      Then the exchange was (AD-01)
        """
        user->>router_eu: GET /admin
        alt the router picks Cell EU0
          router_eu->>cell_eu0: GET /admin
          cell_eu0-->>user: 302 /admin/cells/celleu0
        else the router picks Cell EU1
          router_eu->>cell_eu1: GET /admin
          cell_eu1-->>user: 302 /admin/cells/celleu1
        end
        """

    @req:BF-03
    @doc:buffering/admin-page:item-3
    Scenario: an admin page is served by the cell that it names
      Given a cold EU router
      When olga visits "/admin/cells/cellus0/projects"
      Then olga gets status 200 (RT-08)
      And the exchange was (BF-03)
        """
        user->>router_eu: GET /admin/cells/cellus0/projects
        router_eu->>any_eu_cell: GET /admin/cells/cellus0/projects
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /admin/cells/cellus0/projects
        %% AD-02 the cell's admin pages are cached
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/admin/cells/cellus0/}]
        """

    @doc:buffering/admin-page:item-3
    Scenario: an admin page of a cached cell takes one hop
      Given a cold EU router
      And olga visited "/admin/cells/cellus0/projects"
      When olga visits "/admin/cells/cellus0/projects?page=2"
      Then the exchange was (AD-02)
        """
        user->>router_eu: GET /admin/cells/cellus0/projects?page=2
        router_eu->>cell_us0: GET /admin/cells/cellus0/projects?page=2
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/admin/cells/cellus0/}]
        """

    Scenario: an admin page of one cell does not cover another cell
      Given a cold EU router
      And olga visited "/admin/cells/cellus0/projects"
      When olga visits "/admin/cells/cellus1/projects"
      Then the exchange was (AD-02)
        """
        user->>router_eu: GET /admin/cells/cellus1/projects
        router_eu->>any_eu_cell: GET /admin/cells/cellus1/projects
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /admin/cells/cellus1/projects
        cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/admin/cells/cellus1/}]
        """

  @learning @doc:routes-learning/admin-page
  Rule: Admin page of the legacy cell

    Background:
      Given a cold EU router

    @req:LN-16
    @doc:routes-learning/admin-page:item-1 @doc:routes-learning/changes:item-9
    Scenario: the path /admin is fixed to the legacy cell
      When olga visits "/admin"
      Then cell_us0 responded last (AD-04)
      And the exchange was (LN-16)
        """
        user->>router_eu: GET /admin
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/admin
        any_eu_cell-->>router_eu: 200 {path: "/admin", cell: "cell_us0", source: "fixed", exact: true}
        router_eu->>cell_us0: GET /admin
        cell_us0-->>user: 302 /admin/cells/cellus0
        """
      And every request reached exactly one cell (LN-10)

    Scenario: the path /admin leads to a page whose URL names the cell
      When olga visits "/admin"
      Then olga is redirected to "/admin/cells/cellus0" (AD-06)

    @doc:routes-learning/admin-page:item-2
    Scenario Outline: an admin page goes to the cell that its path names
      When olga visits "/admin/cells/<named>/projects"
      Then the exchange was (AD-05)
        """
        user->>router_eu: GET /admin/cells/<named>/projects
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/admin/cells/<named>/projects
        any_eu_cell-->>router_eu: 200 {path: "/admin/cells/<named>", cell: "<cell>", source: "fixed"}
        router_eu->>any_cell: GET /admin/cells/<named>/projects
        any_cell-->>user: 200
        """
      And <cell> responded last (AD-05)

      Examples:
        | named    | cell     |
        | celleu1  | cell_eu1 |
        | cell_eu1 | cell_eu1 |
        | cell_0   | cell_us0 |

    Scenario: the path /admin does not cover admin pages of other cells
      Given olga visited "/admin"
      When olga visits "/admin/cells/celleu1/projects"
      Then the exchange was (AD-05)
        """
        user->>router_eu: GET /admin/cells/celleu1/projects
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/admin/cells/celleu1/projects
        any_eu_cell-->>router_eu: 200 {path: "/admin/cells/celleu1", cell: "cell_eu1", source: "fixed"}
        router_eu->>cell_eu1: GET /admin/cells/celleu1/projects
        cell_eu1-->>user: 200
        """

    Scenario: a learned admin page does not cover another cell
      Given olga visited "/admin/cells/cellus0/projects"
      When olga visits "/admin/cells/cellus1/projects"
      Then the exchange was (AD-05)
        """
        user->>router_eu: GET /admin/cells/cellus1/projects
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/admin/cells/cellus1/projects
        any_eu_cell-->>router_eu: 200 {path: "/admin/cells/cellus1", cell: "cell_us1", source: "fixed"}
        router_eu->>cell_us1: GET /admin/cells/cellus1/projects
        cell_us1-->>user: 200
        """

    Scenario: a learned admin page covers further pages of its cell
      Given olga visited "/admin/cells/cell_0/projects"
      When olga visits "/admin/cells/cell_0"
      Then the exchange was (LN-05)
        """
        user->>router_eu: GET /admin/cells/cell_0
        router_eu->>cell_us0: GET /admin/cells/cell_0
        cell_us0-->>user: 200
        """

  @buffering @learning @doc:buffering/admin-page @doc:routes-learning/admin-page
  Rule: Choice of a cell

    Scenario Outline: an admin page names its cell
      Given a cold EU router
      When olga visits "/admin/cells/<named>"
      Then olga sees the page "Admin Area" (AD-07)
      And olga sees the text 'id="cell"><name>' (AD-06)
      And <cell> responded last (AD-07)

      Examples:
        | named   | name     | cell     |
        | cellus0 | Cell US0 | cell_us0 |
        | celleu1 | Cell EU1 | cell_eu1 |
        | cell_0  | Cell US0 | cell_us0 |

    @doc:buffering/admin-page:item-3 @doc:routes-learning/admin-page:item-2
    Scenario Outline: an admin page offers <other> as another cell
      Given a cold US router
      When olga visits "/admin/cells/cellus0"
      Then olga sees the text "<other>" (AD-03)

      Examples:
        | other    |
        | Cell US1 |
        | Cell EU0 |
        | Cell EU1 |

    @doc:buffering/admin-page:item-3 @doc:routes-learning/admin-page:item-2
    Scenario Outline: a choice in the list of cells leads to that cell's page
      Item 3 of buffering changes a query parameter; A-171 says why the path changes here.
      Given a cold US router
      And olga visited "/admin"
      When olga visits "/admin/cells/<from>/projects"
      And olga chooses <to> in the list of cells
      Then the target "/admin/cells/<slug>/projects" reached <to> (AD-03)
      And <to> responded last (AD-03)

      Examples:
        | from    | to       | slug    |
        | cellus0 | cell_us1 | cellus1 |
        | cellus0 | cell_eu1 | celleu1 |
        | celleu0 | cell_us0 | cellus0 |

    @any-cache
    Scenario: an admin page is the response of the cell
      Given a cold US router
      When olga visits "/admin/cells/celleu1/projects"
      Then olga gets the response of cell_eu1 (RT-08)

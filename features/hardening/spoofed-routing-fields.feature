@hardening
Feature: Routing fields in requests are ignored
  Only cells say who owns a path. A user who puts the cells' fields into a request, or a field by
  which other systems name the path, changes neither the route of the request nor the cache.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Rule: Route choice

    Scenario Outline: X-Gitlab-Cell-Redirect in a request does not choose the cell
      Given visitor visited "<known>"
      When visitor sends:
        """
        <method> /acme/things
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      Then no request went to cell_us0 (Z-72)
      And visitor gets the response of cell_us1 (Z-72)

      Examples:
        | case | known        | method |
        | cold | /            | GET    |
        | warm | /acme/before | POST   |

    Scenario Outline: a field that names another path does not choose the cell
      Given visitor visited "/gitlab-org/gitlab"
      And visitor visited "<known>"
      When visitor sends:
        """
        GET /acme/things
        <field>: /gitlab-org/gitlab

        """
      Then no request went to cell_us0 (Z-72)
      And visitor gets the response of cell_us1 (Z-72)

      Examples:
        | case                  | known        | field                 |
        | X-Original-URL        | /            | X-Original-URL        |
        | X-Rewrite-URL         | /acme/before | X-Rewrite-URL         |
        | X-Forwarded-Uri       | /            | X-Forwarded-Uri       |
        | X-Forwarded-Prefix    | /acme/before | X-Forwarded-Prefix    |
        | X-Envoy-Original-Path | /            | X-Envoy-Original-Path |
        | Referer               | /            | Referer               |

    Scenario Outline: a field that names a destination does not choose the cell
      Given visitor visited "/gitlab-org/gitlab"
      When visitor sends:
        """
        GET /acme/things
        <field>: <value>

        """
      And visitor visits "/acme/more"
      Then no request went to cell_us0 (Z-72)
      And visitor gets the response of cell_us1 (Z-72)

      Examples:
        | field            | value    |
        | L5d-Dst-Override | cell_us0 |
        | X-Gitlab-Cell    | Cell US0 |
        | X-Cell           | cellus0  |

    Scenario Outline: a field that names another method does not change it
      When visitor sends:
        """
        POST /acme/things
        <field>: DELETE

        """
      Then every copy of the request carried the same method, target and body (Z-68)
      And visitor gets the response of cell_us1 (Z-68)

      Examples:
        | field                  |
        | X-HTTP-Method-Override |
        | X-HTTP-Method          |
        | X-Method-Override      |

  Rule: Cache entries

    @buffering
    Scenario: X-Gitlab-Cell-Cache in a request adds no entry
      Given cell_us1 responds to "/acme/quiet" with the status 200
      When anna sends:
        """
        GET /acme/quiet
        X-Gitlab-Cell-Cache: {path_prefix:/acme/}

        """
      And visitor visits "/acme/quiet"
      Then the visit went to cell_us1 as on a cold cache (Z-72)

    @learning
    Scenario: X-Gitlab-Cell-Cache in a request does not widen an exact entry
      Given the namespace "/tools" on cell_us0
      And the exact route "/tools/profile" on cell_us1
      When anna sends:
        """
        GET /tools/profile
        X-Gitlab-Cell-Cache: {path_prefix:/tools/}

        """
      And visitor visits "/tools/saw"
      Then the visit went to cell_us0 as on a cold cache (Z-72)

  @buffering @learning
  Rule: User cookies

    Scenario: a cookie set for one user is not sent for another
      Given cell_us1 sets "Set-Cookie: badge=anna; Path=/; HttpOnly" on its response to "/acme/things"
      When anna visits "/acme/things"
      And visitor visits "/acme/things"
      Then no cell received the field "Cookie" (Z-74)
      And visitor gets the response of cell_us1 (Z-74)

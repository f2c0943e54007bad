@hardening @learning
Feature: Only status and body of a learn response count
  Routing fields and cookies have no meaning on a learn response. They do not change the route,
  reach no user, and do not change the time to live. A page that looks like a learn response is
  not one, and neither is a header of the buffering protocol.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Ignored fields

    Scenario Outline: a routing field on a learn response is ignored
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json
        <field>

        {"path": "/acme", "cell": "cell_us1", "source": "routable"}
        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/things/below"
      Then the exchange was (Z-73)
        """
        user->>router_eu: GET /acme/things
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/acme/things
        any_eu_cell-->>router_eu: 200
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        user->>router_eu: GET /acme/things/below
        router_eu->>cell_us1: GET /acme/things/below
        cell_us1-->>user: 200
        """

      Examples:
        | case            | field                                            |
        | redirect header | X-Gitlab-Cell-Redirect: {cell:Cell US0}          |
        | cache header    | X-Gitlab-Cell-Cache: {path_prefix:/acme/things/} |
        | Location        | Location: /gitlab-org/gitlab                     |

    Scenario: a cache header on a 404 learn response adds no entry
      Given every cell responds to a pre-flight about "/acme/nowhere" with the status 404 and "X-Gitlab-Cell-Cache: {path_prefix:/acme/}"
      When visitor visits "/acme/nowhere"
      And visitor visits "/acme/things"
      Then the visit went to cell_us1 as on a cold cache (Z-73)

    Scenario: a cookie on a learn response does not reach the user
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json
        Set-Cookie: stray=1; Path=/

        {"path": "/acme", "cell": "cell_us1", "source": "routable"}
        """
      When visitor visits "/acme/things"
      Then no response to a user carries the field "Set-Cookie" (Z-73)
      And visitor gets the response of cell_us1 (Z-73)

    Scenario Outline: fields of a learn response with status <status> reach nobody
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        <status>
        Set-Cookie: stray=1; Path=/
        Www-Authenticate: Basic realm="cells"

        """
      When visitor visits "/acme/things"
      Then no response to a user carries the field "Set-Cookie" (Z-73)
      And no response to a user carries the field "Www-Authenticate" (Z-73)
      And the router refused the request (Z-35)

      Examples:
        | status |
        | 401    |
        | 500    |

    Scenario: a redirect of the learn endpoint is not followed
      Given every cell responds to a pre-flight about "/acme/things" with the status 302 and "Location: /api/v4/internal/cells/learn?method=GET&path_info=/gitlab-org/gitlab"
      When visitor visits "/acme/things"
      Then the router refused the request (Z-73)
      And no request went to cell_us0 (Z-73)

    @doc:routes-learning/pre-flight
    Scenario: Cache-Control on a learn response does not extend the time to live
      Given cache entries live 400 ms
      And every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json
        Cache-Control: max-age=600

        {"path": "/acme", "cell": "cell_us1", "source": "routable"}
        """
      And visitor visited "/acme/things"
      When the entries' time to live passes
      And visitor visits "/acme/things"
      Then the visit went to cell_us1 as on a cold cache (LN-13)

  Rule: Lookalike pages

    Scenario: a page with the body of a learn response adds no entry
      Given cell_us1 responds to "/acme/things" with the JSON '{"path": "/acme", "cell": "cell_us0", "source": "routable"}'
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-73)
      And no request went to cell_us0 (Z-73)

    @doc:routes-learning/pros:item-2
    Scenario Outline: a page with a cache header reaches its user
      Given cell_us1 sets "X-Gitlab-Cell-Cache: <value>" on its response to "/acme/things"
      When visitor visits "/acme/things"
      And visitor visits "/gitlab-org/gitlab"
      And visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (RT-08)
      And every request reached exactly one cell (RT-08)

      Examples:
        | case         | value                      |
        | well-formed  | {path_prefix:/acme/}       |
        | malformed    | path_prefix                |
        | another path | {path_prefix:/gitlab-org/} |

    Scenario Outline: a redirect header without status 302 is not followed
      Given cell_us1 responds to "/acme/things" with the status <status> and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
      When visitor visits "/acme/things"
      Then the last request reached exactly one cell (Z-37)
      And visitor gets status <status> (Z-37)

      Examples:
        | status |
        | 200    |
        | 404    |

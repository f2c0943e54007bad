@protocol @learning
Feature: Pre-flights to the learn endpoint
  On a cold cache the router first asks a cell who owns the path. It passes on the method and the
  path, and nothing else.

  Background:
    Given a cold EU router

  Rule: Order of requests

    @doc:routes-learning/changes:item-6 @doc:routes-learning/pre-flight
    Scenario Outline: a pre-flight precedes the <method> request
      Given the namespace "/acme" on cell_us1
      When visitor sends <method> "/acme/things"
      Then the exchange was (LN-01)
        """
        user->>router_eu: <method> /acme/things
        %% LN-03 the user's method and path
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=<method>&path_info=/acme/things
        %% LN-01 then the request
        any_eu_cell-->>router_eu: 200 {path: "/acme", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: <method> /acme/things
        cell_us1-->>user: 200
        """

      Examples:
        | method |
        | GET    |
        | HEAD   |
        | POST   |
        | PUT    |
        | PATCH  |
        | DELETE |

    @doc:routes-learning/project-signed-in:item-3
    Scenario Outline: a learn response leads to <owner>
      Given the namespace "/acme" on <owner>
      When visitor visits "/acme/things"
      Then the exchange was (LN-18)
        """
        user->>router_eu: GET /acme/things
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/acme/things
        any_eu_cell-->>router_eu: 200 {path: "/acme", cell: "<owner>", source: "routable"}
        router_eu->><owner>: GET /acme/things
        <owner>-->>user: 200
        """

      Examples:
        | owner    |
        | cell_us1 |
        | cell_eu1 |

  Rule: Learn endpoint

    @doc:routes-learning/changes:item-6
    Scenario Outline: a pre-flight goes to the endpoint of the topology
      Given the learn endpoint is "<learn>"
      And the namespace "/acme" on cell_us1
      When visitor visits "/acme/things"
      Then the exchange was (LN-02)
        """
        user->>router_eu: GET /acme/things
        %% choice LN-17
        router_eu->>any_eu_cell: GET <learn>?method=GET&path_info=/acme/things
        any_eu_cell-->>router_eu: 200 {path: "/acme", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        """

      Examples:
        | learn                        |
        | /api/v4/internal/cells/learn |
        | /api/v4/cells/learn          |

  Rule: Query of the request

    @doc:routes-learning/changes:item-6 @late
    Scenario: a pre-flight leaves out the query
      Given the namespace "/acme" on cell_us1
      When visitor sends DELETE "/acme/things?method=GET&path_info=/gitlab-org"
      Then the pre-flight asked about "/acme/things" with the method DELETE (LN-03)
      And there was one pre-flight (LN-03)

  Rule: Body of the request

    @doc:routes-learning/differences
    Scenario: a pre-flight leaves out the body
      Given the namespace "/acme" on cell_us1
      When visitor sends POST "/acme/things" with 65536 random bytes
      Then every pre-flight came without a body (LN-11)
      And the cell received the complete body (LN-10)

@protocol @learning
Feature: Prefix learn responses
  Without `exact`, the path of a learn response is a prefix of whole segments. The cell chooses
  the level of the path.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Covered paths

    @doc:routes-learning/other-project:item-2
    Scenario Outline: a path below a learned prefix needs no pre-flight
      Given visitor visited "/acme/things"
      When visitor sends GET "<path>"
      Then the visit went straight to cell_us1 (CA-08)

      Examples:
        | case               | path                   |
        | another page       | /acme/other            |
        | deep page          | /acme/a/b/c/-/d?page=2 |
        | group itself       | /acme                  |
        | group with a slash | /acme/                 |
        | group with a query | /acme?page=2           |

    @doc:routes-learning/pre-flight:item-1 @late
    Scenario: a learned project covers the paths below it
      Given the namespace "/gitlab-org/tools" on cell_us1
      When visitor visits "/gitlab-org/tools/-/issues"
      And visitor visits "/gitlab-org/tools/-/issues/1"
      And visitor visits "/gitlab-org/tools"
      Then the exchange was (LN-05)
        """
        user->>router_eu: GET /gitlab-org/tools/-/issues
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/gitlab-org/tools/-/issues
        any_eu_cell-->>router_eu: 200 {path: "/gitlab-org/tools", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: GET /gitlab-org/tools/-/issues
        cell_us1-->>user: 200
        user->>router_eu: GET /gitlab-org/tools/-/issues/1
        router_eu->>cell_us1: GET /gitlab-org/tools/-/issues/1
        cell_us1-->>user: 200
        user->>router_eu: GET /gitlab-org/tools
        router_eu->>cell_us1: GET /gitlab-org/tools
        cell_us1-->>user: 200
        """

    @doc:routes-learning/pre-flight:item-1
    Scenario: the learned project of the proposal covers itself only
      Given visitor visited "/gitlab-org/gitlab-test"
      When visitor visits "/gitlab-org/gitlab-test"
      And visitor visits "/gitlab-org/gitlab"
      Then the exchange was (LN-05)
        """
        user->>router_eu: GET /gitlab-org/gitlab-test
        router_eu->>cell_us0: GET /gitlab-org/gitlab-test
        cell_us0-->>user: 200
        user->>router_eu: GET /gitlab-org/gitlab
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/gitlab-org/gitlab
        any_eu_cell-->>router_eu: 200 {path: "/gitlab-org", cell: "cell_us0", source: "routable"}
        router_eu->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        """

    @doc:routes-learning/pre-flight:item-1
    Scenario: a learn response with exact false is a prefix
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/acme/things", "cell": "cell_us1", "source": "routable", "exact": false}'
      And visitor visited "/acme/things"
      When visitor visits "/acme/things/below"
      Then the visit went straight to cell_us1 (LN-05)

    @doc:routes-learning/pre-flight:item-1
    Scenario Outline: a learn response is read in any JSON formatting
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '<response>'
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then the visit went straight to cell_us1 (LN-04)

      Examples:
        | form            | response                                                           |
        | another order   | {"source":"routable","cell":"cell_us1","path":"/acme"}             |
        | blanks          | { "path" : "/acme" , "cell" : "cell_us1" , "source" : "routable" } |
        | escaped slashes | {"path":"\\/acme","cell":"cell_us1","source":"routable"}           |

    @doc:routes-learning/pre-flight
    Scenario: a fixed learn response is cached like a routable one
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/acme", "cell": "cell_us1", "source": "fixed"}'
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then there was one pre-flight (LN-07)
      And every request reached exactly one cell (LN-07)
      And visitor gets the response of cell_us1 (LN-07)

  Rule: Uncovered paths

    @doc:routes-learning/project-signed-in:item-5 @late
    Scenario: a learned project does not cover a similar name
      Given the namespace "/acme/web" on cell_us0
      And visitor visited "/acme/web/-/issues"
      When visitor visits "/acme/web-2/-/issues"
      Then the visit went to cell_us1 as on a cold cache (CA-07)

@protocol @buffering
Feature: Requests are resent unchanged
  After an internal redirect the owner receives the request as the user sent it: method, target,
  fields and body. Each owner lives in the other region, so that every cold request is redirected.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Resent bodies

    @doc:buffering/differences
    Scenario Outline: a resent body is the body that the user sent
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then the cell received the complete body (BF-04)
      And cell_us1 responded last (BF-04)
      And every copy of the request carried the same method, target and body (BF-04)

      Examples:
        | case     | bytes   | method |
        | empty    | 0       | POST   |
        | one byte | 1       | POST   |
        | 64 KiB   | 65536   | PUT    |
        | 3 MiB    | 3145728 | POST   |

    @doc:buffering/differences
    Scenario: a resent request reaches few cells
      Given the hop limit is 4
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the last request reached cells at most 4 times (BF-08)
      And cell_us1 responded last (BF-08)

    @doc:buffering/project-signed-out:arrow-8
    Scenario: resent credentials of a sign-in reach the owner
      Given every EU cell responds to "/users/sign_in" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US1}"
      When anna visits "/users/sign_in?redirect=/my-company/my-project"
      And anna signs in
      Then the last exchange was (BF-14)
        """
        user->>router_eu: POST /users/sign_in?redirect=/my-company/my-project
        router_eu->>any_eu_cell: POST /users/sign_in?redirect=/my-company/my-project
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: POST /users/sign_in?redirect=/my-company/my-project
        cell_us1-->>user: 302 /my-company/my-project
        """
      And the cell received the complete body (BF-14)

  @doc:buffering/differences
  Rule: Resent methods

    Scenario Outline: a resent <method> keeps its method
      When visitor sends <method> "/acme/things"
      Then the exchange was (BF-05)
        """
        user->>router_eu: <method> /acme/things
        router_eu->>any_eu_cell: <method> /acme/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: <method> /acme/things
        cell_us1-->>user: 200
        """

      Examples:
        | method  |
        | GET     |
        | HEAD    |
        | POST    |
        | PUT     |
        | PATCH   |
        | DELETE  |
        | OPTIONS |

    Scenario Outline: a resent <method> with a body keeps its method
      When visitor sends <method> "/acme/things" with 512 random bytes
      Then every copy of the request carried the same method, target and body (BF-05)
      And cell_us1 responded last (BF-05)

      Examples:
        | method |
        | POST   |
        | PUT    |
        | PATCH  |
        | DELETE |

  Rule: Resent targets

    @doc:buffering/project-signed-in:arrow-4
    Scenario Outline: a resent target is unchanged
      When visitor sends the target "<target>"
      Then the target "<target>" reached cell_us1 (BF-06)
      And every copy of the request carried the same method, target and body (BF-06)

      Examples:
        | kind                | target                                 |
        | parameter order     | /acme/things?b=2&a=1&a=1               |
        | reserved characters | /acme/things?q=a%20b+c%2Bd&empty=&flag |
        | path in the query   | /acme/things?to=/acme/other?x=%3D      |
        | without a query     | /acme                                  |

  Rule: Resent fields

    @doc:buffering/differences @late
    Scenario: resent fields keep their values and their order
      When visitor sends:
        """
        POST /acme/things?x=1
        Accept: application/json;q=0.9, */*;q=0.1
        Accept-Language: nb, en;q=0.5
        Authorization: Basic bmluYTpnbHBhdC0wMDAx
        Content-Type: application/x-example; charset="utf-8"
        Cookie: flavor=plain; size="2"
        User-Agent: example/1.0 (a; b)
        X-Twice: one
        X-Twice: two, three
        X-Example: !#$%&'*+-.^_`~

        a line
        another line
        """
      Then every copy of the request carried the user's fields (BF-04)
      And every copy of the request carried the same method, target and body (BF-04)
      And cell_us1 responded last (BF-04)

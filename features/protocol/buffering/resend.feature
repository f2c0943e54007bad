@protocol @buffering
Feature: The request that is sent again
  What the owner receives after a bounce is the request as the user sent it: method, target, fields and body. Here each
  owner lives in the other region, so that every cold request is bounced.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: The body is kept

    @req:BF-04
    @doc:buffering/differences
    Scenario Outline: a body of random bytes
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then the cell received the body whole (BF-04)
      And cell_us1 responded last (BF-04)
      And every copy of the request carried the same method, target and body (BF-04)

      Examples:
        | bytes   | method |
        | 0       | POST   |
        | 1       | POST   |
        | 65536   | PUT    |
        | 3145728 | POST   |

    @req:BF-08
    @doc:buffering/differences
    Scenario: the copies of one request stay few
      Given a request may take at most 4 hops
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the last request reached cells at most 4 times (BF-08)
      And cell_us1 responded last (BF-08)

    @req:BF-14
    @doc:buffering/project-signed-out:arrow-8
    Scenario: the credentials of a sign-in that is bounced
      Given cell_eu0 responds to "/users/sign_in" with:
        """
        302
        Location: /users/sign_in
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      And cell_eu1 responds to "/users/sign_in" with:
        """
        302
        Location: /users/sign_in
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
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
      And the cell received the body whole (BF-14)

  Rule: The method is kept

    @req:BF-05
    @doc:buffering/differences
    Scenario Outline: without a body
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

    @req:BF-05
    @doc:buffering/differences
    Scenario Outline: with a body
      When visitor sends <method> "/acme/things" with 512 random bytes
      Then every copy of the request carried the same method, target and body (BF-05)
      And cell_us1 responded last (BF-05)

      Examples:
        | method |
        | POST   |
        | PUT    |
        | PATCH  |
        | DELETE |

  Rule: The path and the query are kept

    @req:BF-06
    @doc:buffering/project-signed-in:arrow-4
    Scenario Outline: to the byte
      When visitor sends the target "<target>"
      Then the target "<target>" reached cell_us1 (BF-06)
      And every copy of the request carried the same method, target and body (BF-06)

      Examples:
        | kind          | target                                 |
        | order         | /acme/things?b=2&a=1&a=1               |
        | signs         | /acme/things?q=a%20b+c%2Bd&empty=&flag |
        | a path inside | /acme/things?to=/acme/other?x=%3D      |
        | bare          | /acme                                  |

  Rule: The fields are kept

    @req:BF-04
    @doc:buffering/differences
    Scenario: known ones, unknown ones, and several of one name
      When visitor sends:
        """
        POST /acme/things?x=1
        Accept: application/json;q=0.9, */*;q=0.1
        Accept-Language: nb, en;q=0.5
        Content-Type: application/x-example; charset="utf-8"
        Cookie: flavour=plain; size="2"
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

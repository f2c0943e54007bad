@hardening @buffering
Feature: The X-Gitlab-Cell-Redirect header is parsed strictly
  The value is a list of members in braces. The router refuses a request whose redirect header it
  cannot parse, and skips unknown members. No other field of the internal redirect counts.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Invalid headers

    Scenario Outline: a malformed redirect header causes a refusal
      Given every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: <value>"
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (BF-03)

      Examples:
        | fault         | value          |
        | missing brace | {cell:Cell US1 |
        | no cell       | {region:us}    |
        | empty         |                |

    Scenario: two redirect header lines cause a refusal
      Given every EU cell responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)

    @doc:buffering/pros:item-2
    Scenario: a malformed redirect header does not affect the next request
      Given every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: Cell US1"
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (RT-08)

  Rule: Unknown members

    Scenario Outline: unknown members and blanks in a redirect header are skipped
      Given every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: <value>"
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-40)
      And cell_us1 responded last (Z-40)

      Examples:
        | form                | value                              |
        | members around it   | {a:1,cell:Cell US1,b:2}            |
        | blanks              | { cell : Cell US1 , since : 2023 } |
        | similar member name | {cells:Cell US0,cell:Cell US1}     |

  Rule: Other statuses

    Scenario Outline: a redirect header with another status is not followed
      Given every cell responds to "/acme/things" with:
        """
        <status>
        Location: /acme/elsewhere
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        a response for the user
        """
      When visitor visits "/acme/things"
      Then visitor gets status <status> (Z-37)
      And the last request reached exactly one cell (Z-37)
      And no response to a user carries the field "X-Gitlab-Cell-Redirect" (Z-37)

      Examples:
        | status |
        | 200    |
        | 301    |
        | 307    |
        | 404    |

  Rule: Other fields

    Scenario: cookies of an internal redirect do not reach the user
      Given every EU cell responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        Set-Cookie: stray=1; Path=/
        Set-Cookie: home=0; Path=/
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      And cell_us1 sets on its response to "/acme/things":
        """
        Set-Cookie: home=1; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT
        Set-Cookie: flavor=plain; Path=/acme
        """
      When visitor visits "/acme/things"
      Then the response to visitor has no "stray" in the field "Set-Cookie" (Z-60)
      And the response to visitor has no "home=0" in the field "Set-Cookie" (Z-60)
      And visitor gets the response of cell_us1 (RT-08)

    Scenario Outline: cookies of an internal redirect that is <why> reach nobody
      Given every EU cell responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        Set-Cookie: stray=1; Path=/
        X-Gitlab-Cell-Redirect: <value>

        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And no response to a user carries the field "Set-Cookie" (Z-60)

      Examples:
        | why             | value          |
        | malformed       | {cell:Cell US1 |
        | to no such cell | {cell:Cell U7} |

    Scenario: cookies of an internal redirect do not reach the owner
      Given every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US1}"
      And every EU cell sets "Set-Cookie: stray=1; Path=/" on its response to "/acme/things"
      When visitor visits "/acme/things"
      Then no cell received the field "Cookie" (Z-60)
      And visitor gets the response of cell_us1 (Z-60)

    @doc:buffering/pros:item-2
    Scenario Outline: the Location of an internal redirect is not followed
      Given every EU cell responds to "/acme/things" with:
        """
        302
        Location: <location>
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      When visitor visits "/acme/things?x=1"
      Then visitor gets the response of cell_us1 (RT-08)
      And the target "/acme/things?x=1" reached cell_us1 (BF-06)

      Examples:
        | case            | location           |
        | to another host | //127.0.0.1:9/acme |
        | to another path | /gitlab-org/gitlab |

    Scenario: a cache header on an internal redirect adds no entry
      Given every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
      And cell_us0 responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US1}"
      And cell_us0 sets "X-Gitlab-Cell-Cache: {path_prefix:/acme/}" on its response to "/acme/things"
      And cell_us1 responds to "/acme/things" with the status 200
      And visitor visited "/acme/things"
      When visitor visits "/acme/things"
      Then the exchange was (Z-06)
        """
        user->>router_eu: GET /acme/things
        router_eu->>any_eu_cell: GET /acme/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /acme/things
        cell_us0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        """

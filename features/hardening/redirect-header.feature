@hardening @buffering
Feature: The redirect header, to the letter
  Its value is a list of members in braces. One that cannot be read is refused, members that are not known are skipped, and
  nothing else on the response counts.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: What cannot be read is refused

    @req:Z-35 @req:Z-58 @req:BF-03
    Scenario Outline: a malformed value
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: <value>

        """
      And cell_eu1 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: <value>

        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And the response to visitor carries no field "X-Gitlab-Cell-Redirect" (BF-03)

      Examples:
        | fault      | value          |
        | not closed | {cell:Cell US1 |
        | no cell    | {region:us}    |
        | nothing    |                |

    @req:Z-35 @req:Z-58
    Scenario: two lines
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      And cell_eu1 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)

    @req:RT-08
    @doc:buffering/pros:item-2
    Scenario: the next request is served
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        X-Gitlab-Cell-Redirect: Cell US1

        """
      And cell_eu1 responds to "/acme/things" with:
        """
        302
        X-Gitlab-Cell-Redirect: Cell US1

        """
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (RT-08)

  Rule: What is not known makes no difference

    @req:Z-40
    Scenario Outline: further members and blanks
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: <value>

        """
      And cell_eu1 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        X-Gitlab-Cell-Redirect: <value>

        """
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-40)
      And cell_us1 responded last (Z-40)

      Examples:
        | form          | value                              |
        | around        | {a:1,cell:Cell US1,b:2}            |
        | blanks        | { cell : Cell US1 , since : 2023 } |
        | a cell likely | {cells:Cell US0,cell:Cell US1}     |

  Rule: Only a 302 is a bounce

    @req:Z-37
    Scenario Outline: the header with another status
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
      And the response to visitor carries no field "X-Gitlab-Cell-Redirect" (Z-37)

      Examples:
        | status |
        | 200    |
        | 301    |
        | 307    |
        | 404    |

  Rule: Nothing else on that response counts

    @req:Z-60 @req:Z-05
    Scenario: cookies of an internal redirect do not reach the user, and the owner's do
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        Set-Cookie: stray=1; Path=/
        Set-Cookie: home=0; Path=/
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      And cell_eu1 responds to "/acme/things" with:
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
        Set-Cookie: flavour=plain; Path=/acme
        """
      When visitor visits "/acme/things"
      Then the response to visitor has no "stray" in the field "Set-Cookie" (Z-60)
      And the response to visitor has no "home=0" in the field "Set-Cookie" (Z-60)
      And the response to visitor carries the fields: (Z-05)
        """
        Set-Cookie: home=1; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT
        Set-Cookie: flavour=plain; Path=/acme
        """

    @req:Z-60
    Scenario: cookies of an internal redirect do not reach the owner
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        Set-Cookie: stray=1; Path=/
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      And cell_eu1 responds to "/acme/things" with:
        """
        302
        Location: /acme/things
        Set-Cookie: stray=1; Path=/
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      When visitor visits "/acme/things"
      Then no cell received the field "Cookie" (Z-60)
      And visitor gets the response of cell_us1 (Z-60)

    @req:RT-08 @req:BF-06
    @doc:buffering/pros:item-2
    Scenario Outline: its Location is not followed
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        Location: <location>
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      And cell_eu1 responds to "/acme/things" with:
        """
        302
        Location: <location>
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      When visitor visits "/acme/things?x=1"
      Then visitor gets the response of cell_us1 (RT-08)
      And the target "/acme/things?x=1" reached cell_us1 (BF-06)

      Examples:
        | location           |
        | //127.0.0.1:9/acme |
        | /gitlab-org/gitlab |

    @req:Z-06
    Scenario: its cache header teaches nothing
      Given cell_eu0 responds to "/acme/things" with:
        """
        302
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      And cell_eu1 responds to "/acme/things" with:
        """
        302
        X-Gitlab-Cell-Redirect: {cell:Cell US0}

        """
      And cell_us0 responds to "/acme/things" with:
        """
        302
        X-Gitlab-Cell-Cache: {path_prefix:/acme/}
        X-Gitlab-Cell-Redirect: {cell:Cell US1}

        """
      And cell_us1 responds to "/acme/things" with:
        """
        200
        Content-Type: text/plain

        not a word about where this is
        """
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

@hardening @learning
Feature: The learn response, to the letter
  Members that a router does not know make no difference. A response without what is needed, or with another type, is
  refused, and so is any status but 200 and 404.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: What is not known makes no difference

    @req:Z-40 @req:Z-30
    Scenario Outline: further members
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json

        <response>
        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then every response reached its user as a cell gave it (Z-30)
      And there was one pre-flight (Z-40)

      Examples:
        | member           | response                                                                                      |
        | a number         | {"path": "/acme", "cell": "cell_us1", "source": "routable", "ttl": 5}                       |
        | an object        | {"path": "/acme", "cell": "cell_us1", "source": "routable", "region": {"cell": "cell_us0"}} |
        | a foreign source | {"path": "/acme", "cell": "cell_us1", "source": "sharded"}                                  |

  Rule: What cannot be read is refused

    @req:Z-30 @req:Z-58
    Scenario Outline: not what a response is
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json

        <response>
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-30)
      And the refusal names no cell (Z-58)

      Examples:
        | fault         | response                                             |
        | no cell       | {"path": "/acme", "source": "routable"}            |
        | cell a number | {"path": "/acme", "cell": 1, "source": "routable"} |
        | no path       | {"cell": "cell_us1", "source": "routable"}         |
        | a list        | []                                                 |
        | no JSON       | Cell US1                                           |

    @req:Z-30
    Scenario: the router survives and remembers nothing
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json

        {"path": "/acme", "cell": {"name": "cell_us1"}, "source": "routable"}
        """
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then the exchange was (Z-30)
        """
        user->>router_eu: GET /acme/more
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/acme/more
        any_eu_cell-->>router_eu: 200 {path: "/acme", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: GET /acme/more
        cell_us1-->>user: 200
        """

    @req:Z-35 @req:Z-58
    Scenario Outline: another status
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        <status>
        Content-Type: application/json

        {"path": "/acme", "cell": "cell_us1", "source": "routable"}
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)

      Examples:
        | status |
        | 206    |
        | 403    |
        | 503    |

  Rule: What does not cover the request is not remembered

    @req:Z-07
    Scenario Outline: a path elsewhere
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json

        {"path": "<answered>", "cell": "cell_us1", "source": "routable"}
        """
      And visitor visited "/acme/things"
      When visitor visits "/gitlab-org/gitlab"
      Then the exchange was (Z-07)
        """
        user->>router_eu: GET /gitlab-org/gitlab
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/gitlab-org/gitlab
        any_eu_cell-->>router_eu: 200 {path: "/gitlab-org", cell: "cell_us0", source: "routable"}
        router_eu->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        """

      Examples:
        | level               | answered     |
        | a group             | /gitlab-org  |
        | a group and a slash | /gitlab-org/ |

    @req:Z-07
    Scenario: an exact path elsewhere
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json

        {"path": "/gitlab-org/gitlab", "cell": "cell_us1", "source": "fixed", "exact": true}
        """
      And visitor visited "/acme/things"
      When visitor visits "/gitlab-org/gitlab"
      Then visitor gets the response of cell_us0 (Z-07)

    @req:Z-08
    Scenario Outline: the root
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: application/json

        {"path": "<answered>", "cell": "cell_us1", "source": "routable"}
        """
      And visitor visited "/acme/things"
      When visitor visits "/gitlab-org/gitlab"
      Then visitor gets the response of cell_us0 (Z-08)
      And no request went to cell_us1 (Z-08)

      Examples:
        | form    | answered |
        | a slash | /        |
        | nothing |          |

  Rule: A 404 is no response to remember

    @req:Z-34 @req:UN-08
    Scenario: the request goes once, each time after a new question
      When visitor visits "/nobody/knows/this"
      And visitor visits "/nobody/knows/this"
      Then there were 2 pre-flights (Z-34)
      And every request reached exactly one cell (Z-34)
      And every response reached its user as a cell gave it (UN-08)

    @req:Z-34
    Scenario: whatever stands in its body
      Given every cell responds to a pre-flight about "/nobody/knows/this" with:
        """
        404
        Content-Type: application/json

        {"path": "/nobody", "cell": "cell_us1", "source": "routable"}
        """
      When visitor visits "/nobody/knows/this"
      And visitor visits "/nobody/knows/that"
      Then no request went to cell_us1 (Z-34)
      And every request reached exactly one cell (Z-34)
      And there were 2 pre-flights (Z-34)

    @req:Z-34
    Scenario: a request with a body
      When visitor sends POST "/nobody/knows/this" with 65536 random bytes
      Then every request reached exactly one cell (Z-34)
      And the cell received the body whole (Z-34)

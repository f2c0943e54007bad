@protocol @learning
Feature: Learn responses are compared exactly
  Comparisons of the path that is asked about, of the path in the response, and of its content
  type.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:routes-learning/pre-flight:item-2
  Rule: Exact paths

    Scenario Outline: an exact path does not cover a path that differs in <difference>
      Given the namespace "/tools" on cell_us0
      And the exact route "<known>" on cell_us1
      And visitor visited "<known>"
      When visitor sends the target "<other>"
      Then the visit went to cell_us0 as on a cold cache (LN-06)

      Examples:
        | difference             | known                                                                | other                                                                |
        | the case of a letter   | /tools/profile                                                       | /tools/Profile                                                       |
        | the character at a dot | /tools/pro.file                                                      | /tools/pro-file                                                      |
        | a path parameter       | /tools/profile                                                       | /tools/profile;v=1                                                   |
        | its last byte          | /tools/long-name-long-name-long-name-long-name-long-name-long-name-1 | /tools/long-name-long-name-long-name-long-name-long-name-long-name-2 |

    Scenario: an exact path covers itself with an empty query
      Given the namespace "/tools" on cell_us0
      And the exact route "/tools/profile" on cell_us1
      And visitor visited "/tools/profile"
      When visitor sends the target "/tools/profile?"
      Then there was no pre-flight (LN-06)
      And cell_us1 responded last (LN-06)
      And the target "/tools/profile?" reached cell_us1 (Z-13)

  Rule: Prefix paths

    @doc:routes-learning/pre-flight:item-1
    Scenario: a prefix that ends in a slash covers the paths below it
      Given every cell responds to a pre-flight about "/acme/things" with the JSON '{"path": "/acme/", "cell": "cell_us1", "source": "routable"}'
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then the visit went straight to cell_us1 (LN-05)

  Rule: Paths in a pre-flight

    @doc:routes-learning/changes:item-6 @late
    Scenario: path_info ends at the first of two question marks
      When visitor sends the target "/acme/things?a=?b=1"
      Then the pre-flight asked about "/acme/things" with the method GET (LN-03)

    @doc:routes-learning/pros:item-3
    Scenario Outline: <case> is routed like any other
      A router may keep users from the endpoint itself, and from nothing else.
      Given the namespace "/api/v4/internal/cells/learners" on cell_us1
      When visitor visits "<path>"
      Then visitor gets the response of cell_us1 (RT-10)
      And every request reached exactly one cell (RT-10)

      Examples:
        | case                                   | path                               |
        | a path that contains the learn path    | /acme/api/v4/internal/cells/learn  |
        | a path that begins like the learn path | /api/v4/internal/cells/learners/me |

  Rule: Content types

    @doc:routes-learning/pre-flight:item-1
    Scenario Outline: a learn response of type <type> is used
      Given every cell responds to a pre-flight about "/acme/things" with:
        """
        200
        Content-Type: <type>

        {"path": "/acme", "cell": "cell_us1", "source": "routable"}
        """
      And visitor visited "/acme/things"
      When visitor visits "/acme/more"
      Then the visit went straight to cell_us1 (LN-04)

      Examples:
        | type                            |
        | application/json; charset=utf-8 |
        | Application/JSON                |

@cells
Feature: The installation of the documents
  Two regions with two cells each, and three namespaces of which every cell knows where they are.

  Background:
    Given the cells and people of the documents

  Rule: Two regions, two cells each

    @buffering @req:RT-16
    @doc:buffering/diagrams:drawing @doc:routes-learning/diagrams:drawing
    Scenario Outline: the cell is in service
      When visitor visits "/" on <cell> directly
      Then visitor is sent to "/users/sign_in?redirect=/" (RT-16)

      Examples:
        | cell     |
        | cell_us0 |
        | cell_us1 |
        | cell_eu0 |
        | cell_eu1 |

  Rule: Three namespaces

    @learning @req:RT-15
    @doc:buffering/request-flows:item-1 @doc:buffering/request-flows:item-2 @doc:buffering/private-project:item-2
    @doc:routes-learning/request-flows:item-1 @doc:routes-learning/request-flows:item-2 @doc:routes-learning/private-project:item-2
    Scenario Outline: where the namespace is
      When every cell is asked about "<path>"
      Then every cell points to <cell> (RT-15)

      Examples:
        | path            | cell     |
        | /gitlab-org     | cell_us0 |
        | /my-company     | cell_eu0 |
        | /not-my-company | cell_us1 |

    @buffering @req:RT-15
    @doc:buffering/request-flows:item-1 @doc:buffering/request-flows:item-2 @doc:buffering/private-project:item-2
    @doc:routes-learning/request-flows:item-1 @doc:routes-learning/request-flows:item-2 @doc:routes-learning/private-project:item-2
    Scenario Outline: where the project of the namespace is
      Given anna is signed in
      And nina is signed in
      When <person> visits "<path>" on cell_eu1 directly
      Then the response to <person> carries the fields: (RT-15)
        """
        X-Gitlab-Cell-Redirect: {cell:<name>}
        """

      Examples:
        | path                           | name     | person |
        | /gitlab-org/gitlab             | Cell US0 | anna   |
        | /my-company/my-project         | Cell EU0 | anna   |
        | /not-my-company/not-my-project | Cell US1 | nina   |

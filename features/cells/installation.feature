@cells
Feature: The example installation of the proposals
  Two regions with two cells each, and three namespaces whose owners every cell knows.

  Rule: Regions and cells

    @buffering
    @doc:buffering/diagrams:drawing @doc:routes-learning/diagrams:drawing
    Scenario Outline: a visitor on <cell> is sent to the sign-in page
      When visitor visits "/" on <cell> directly
      Then visitor is redirected to "/users/sign_in?redirect=/" (RT-16)

      Examples:
        | cell     |
        | cell_us0 |
        | cell_us1 |
        | cell_eu0 |
        | cell_eu1 |

  @doc:buffering/request-flows:item-1 @doc:buffering/request-flows:item-2 @doc:buffering/private-project:item-2
  @doc:routes-learning/request-flows:item-1 @doc:routes-learning/request-flows:item-2 @doc:routes-learning/private-project:item-2
  Rule: Example namespaces

    @learning
    Scenario Outline: the namespace <path> belongs to <cell>
      When every cell is asked about "<path>"
      Then every cell points to <cell> (RT-15)

      Examples:
        | path            | cell     |
        | /gitlab-org     | cell_us0 |
        | /my-company     | cell_eu0 |
        | /not-my-company | cell_us1 |

    @buffering
    Scenario Outline: the project <path> belongs to <name>
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

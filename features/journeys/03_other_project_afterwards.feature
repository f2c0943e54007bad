@journey
Feature: Navigates to /my-company/my-other-project after last step
  The EU router has served /my-company/my-project before. The heading names the other project and
  the drawing the first one, so both are visited.

  Background:
    Given anna is signed in
    And a cold EU router
    And anna visited "/my-company/my-project"

  @buffering @doc:buffering/other-project
  Rule: Cached prefix

    @req:CA-03
    @doc:buffering/other-project:drawing @doc:buffering/other-project:item-2 @doc:buffering/other-project:item-3
    @doc:buffering/project-signed-in:item-5 @doc:buffering/project-signed-out:item-7
    Scenario Outline: a request below the cached prefix takes one hop
      When anna visits "/my-company/<project>"
      Then anna sees the page "<page>" (RT-09)
      And the exchange was (CA-03)
        """
        user->>router_eu: GET /my-company/<project>
        router_eu->>cell_eu0: GET /my-company/<project>
        %% CA-05 the owner sets the cache header again
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

      Examples:
        | project          | page             |
        | my-other-project | My Other Project |
        | my-project       | My Project       |

    Scenario: a prefix cached for one user serves another
      When visitor visits "/my-company/handbook"
      Then visitor sees the page "Handbook" (CA-09)
      And the exchange was (CA-09)
        """
        user->>router_eu: GET /my-company/handbook
        router_eu->>cell_eu0: GET /my-company/handbook
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

  @learning @doc:routes-learning/other-project
  Rule: Learned prefix

    @req:CA-08
    @doc:routes-learning/other-project:drawing @doc:routes-learning/other-project:item-2 @doc:routes-learning/project-signed-in:item-5
    Scenario Outline: a request below the learned prefix needs no pre-flight
      When anna visits "/my-company/<project>"
      Then anna sees the page "<page>" (RT-09)
      And the exchange was (CA-08)
        """
        user->>router_eu: GET /my-company/<project>
        router_eu->>cell_eu0: GET /my-company/<project>
        cell_eu0-->>user: 200
        """

      Examples:
        | project          | page             |
        | my-other-project | My Other Project |
        | my-project       | My Project       |

    Scenario: a prefix learned for one user serves another
      When visitor visits "/my-company/handbook"
      Then visitor sees the page "Handbook" (CA-09)
      And the exchange was (CA-09)
        """
        user->>router_eu: GET /my-company/handbook
        router_eu->>cell_eu0: GET /my-company/handbook
        cell_eu0-->>user: 200
        """

  @buffering @learning @doc:buffering/other-project @doc:routes-learning/other-project
  Rule: One cell per page

    Scenario: a page causes no request to another cell
      When anna visits "/my-company/my-other-project"
      Then every request reached exactly one cell (RT-17)
      And there was no pre-flight (RT-09)
      And anna gets the response of cell_eu0 (RT-01)

@journey
Feature: Navigates to /my-company/my-other-project while logged in, without access
  Gabe, a legacy user, may visit organizations on other cells, but not their private projects. He
  gets a 404.

  Background:
    Given anna is signed in
    And gabe is signed in

  @buffering @doc:buffering/other-project-without-access
  Rule: 404 by redirect

    Scenario: a US router gets the 404 of the owner in Europe
      Given a cold US router
      When gabe visits "/my-company/my-other-project"
      Then the exchange was (BF-03)
        """
        user->>router_us: GET /my-company/my-other-project
        router_us->>any_us_cell: GET /my-company/my-other-project
        any_us_cell-->>router_us: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_us->>cell_eu0: GET /my-company/my-other-project
        %% PR-02 drawn without a cache header
        cell_eu0-->>user: 404 [cell: without X-Gitlab-Cell-Cache]
        """

    Scenario: an EU router gets the 404 by way of another cell
      Given a cold EU router
      When gabe visits "/my-company/my-other-project", asking cell_eu1 first
      Then the exchange was (BF-03)
        """
        user->>router_eu: GET /my-company/my-other-project
        router_eu->>cell_eu1: GET /my-company/my-other-project
        cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
        router_eu->>cell_eu0: GET /my-company/my-other-project
        %% PR-02 drawn without a cache header
        cell_eu0-->>user: 404 [cell: without X-Gitlab-Cell-Cache]
        """

    Scenario: a router that cached the owner gets the 404 in one hop
      Given a cold US router
      And anna visited "/my-company/my-project"
      When gabe visits "/my-company/my-other-project"
      Then the exchange was (CA-09)
        """
        user->>router_us: GET /my-company/my-other-project
        router_us->>cell_eu0: GET /my-company/my-other-project
        %% PR-01 the owner's 404 is passed on
        cell_eu0-->>user: 404
        """

  @learning @doc:routes-learning/other-project-without-access
  Rule: 404 by pre-flight

    Scenario: a US router learns the owner in Europe and gets its 404
      Given a cold US router
      When gabe visits "/my-company/my-other-project"
      Then the exchange was (LN-10)
        """
        user->>router_us: GET /my-company/my-other-project
        %% choice LN-17
        router_us->>any_us_cell: GET {learn}?method=GET&path_info=/my-company/my-other-project
        %% LN-23 the response does not depend on who asks
        any_us_cell-->>router_us: 200 {path: "/my-company", cell: "cell_eu0", source: "routable"}
        %% PR-01 the owner's 404 is passed on
        router_us->>cell_eu0: GET /my-company/my-other-project
        cell_eu0-->>user: 404
        """

    Scenario: a router that learned the owner gets the 404 in one hop
      Given a cold US router
      And anna visited "/my-company/my-project"
      When gabe visits "/my-company/my-other-project"
      Then the exchange was (CA-09)
        """
        user->>router_us: GET /my-company/my-other-project
        router_us->>cell_eu0: GET /my-company/my-other-project
        %% PR-01 the owner's 404 is passed on
        cell_eu0-->>user: 404
        """

  @buffering @learning @doc:buffering/other-project-without-access @doc:routes-learning/other-project-without-access
  Rule: Other organizations

    @doc:buffering/timing-attack @doc:routes-learning/timing-attack
    Scenario Outline: a private project looks like a missing one
      Given a cold <region> router
      When gabe visits "/my-company/my-other-project"
      And gabe visits "/no-such-company/no-such-project"
      Then gabe gets status 404 (UN-08)
      And the last two responses were indistinguishable (PR-03)

      Examples:
        | region |
        | US     |
        | EU     |

    @any-cache
    Scenario: a 404 for a private project does not name it
      Given a cold US router
      When gabe visits "/my-company/my-other-project"
      Then gabe gets status 404 (PR-01)
      And gabe does not see the text "my-company" (PR-06)

    @any-cache
    @doc:buffering/team-member @doc:routes-learning/team-member
    Scenario Outline: a legacy user elsewhere is told about missing data, <place>
      Given a cold US router
      When gabe visits "<path>"
      Then gabe sees the page "<page>" (OR-14)
      And gabe sees the notice "Some data may be missing" (OR-14)

      Examples:
        | place            | path                                       | page                 |
        | the organization | /organizations/my-organization             | My Organization      |
        | its dashboard    | /organizations/my-organization/-/dashboard | My Company Dashboard |
        | its project      | /my-company/handbook                       | Handbook             |

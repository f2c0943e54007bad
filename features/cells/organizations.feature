@cells @buffering
Feature: Organizations and their cells
  An organization lives on one cell with everything that belongs to it. Every cell knows a user's
  default organization.

  Background:
    Given anna is signed in
    And gabe is signed in

  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: the namespaces of an organization are on one cell
    When anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "first", "path": "first"}' on cell_eu0 directly
    And anna sends POST "/organizations/my-organization/groups" with the JSON '{"name": "second", "path": "second"}' on cell_eu0 directly
    Then the path "/first" belongs to cell_eu0 (RT-11)
    And the path "/second" belongs to cell_eu0 (RT-11)
    And the path "/my-company" belongs to cell_eu0 (RT-11)

  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario: the projects of an organization stay together when it moves
    When the organization "my-organization" moves to cell_us1
    Then the path "/my-company/my-project" belongs to cell_us1 (RT-11)
    And the path "/my-company/my-other-project" belongs to cell_us1 (RT-11)

  @doc:buffering/default-organization @doc:routes-learning/default-organization
  Scenario Outline: a change of the default organization takes effect on every cell
    When gabe sends POST "/-/user_settings" with the form "default_organization=my-organization" on cell_us0 directly
    And gabe visits "/" on <cell> directly
    Then gabe is redirected to "/organizations/my-organization/-/dashboard" (OR-01)
    And the write to "gitlab_users" went to the primary (OR-16)

    Examples:
      | cell     |
      | cell_us1 |
      | cell_eu0 |

  @doc:buffering/default-organization @doc:buffering/changes:item-6 @doc:routes-learning/default-organization
  Scenario Outline: the user settings offer <which>
    When anna visits "/-/user_settings" on cell_us1 directly
    Then anna sees the text '<option>' (OR-01)

    Examples:
      | which                   | option                                                            |
      | the public organization | <option value="">GitLab.com Public</option>                       |
      | the one in use          | <option value="my-organization" selected>My Organization</option> |
      | another organization    | <option value="not-my-organization">Not My Organization</option>  |

  @doc:buffering/introduction @doc:routes-learning/introduction
  Scenario Outline: a user sees the data of the chosen organization, <which>
    When gabe sends POST "/-/user_settings" with the form "default_organization=<organization>" on cell_us1 directly
    And gabe visits "<path>" on <cell> directly
    Then gabe sees the text '<own>' (OR-19)
    And gabe does not see the text '<other>' (OR-19)

    Examples:
      | which           | organization      | path                                       | cell     | own                             | other                           |
      | my organization | my-organization   | /organizations/my-organization/-/dashboard | cell_eu0 | <a href="/my-company/handbook"> | <a href="/gitlab-org/gitlab">   |
      | the public one  | GitLab.com+Public | /dashboard/projects                        | cell_us0 | <a href="/gitlab-org/gitlab">   | <a href="/my-company/handbook"> |

  @doc:buffering/default-organization @doc:routes-learning/default-organization
  Scenario Outline: a legacy user has the public organization as default
    When gabe visits "/" on <cell> directly
    Then gabe is redirected to "/dashboard" (OR-02)

    Examples:
      | cell     |
      | cell_us1 |
      | cell_eu1 |

  @doc:buffering/default-organization @doc:routes-learning/default-organization
  Scenario Outline: a legacy user sees all namespaces of the legacy cell, <page>
    Where an organization lives on the legacy cell, its namespaces are shown too (A-84).
    When anna sends POST "/organizations/my-organization/groups" with the JSON '{"path": "open", "visibility": "public"}' on cell_eu0 directly
    And the organization "my-organization" moves to cell_us0
    And gabe visits "<path>" on cell_us0 directly
    Then gabe sees the text '<one>' (OR-03)
    And gabe sees the text '<other>' (OR-03)

    Examples:
      | page     | path                | one                           | other                           |
      | groups   | /dashboard          | <a href="/gitlab-org">        | <a href="/open">                |
      | projects | /dashboard/projects | <a href="/gitlab-org/gitlab"> | <a href="/my-company/handbook"> |

  @doc:buffering/default-organization @doc:routes-learning/default-organization
  Scenario Outline: <page> names the organization that it shows to a member
    When anna visits "<path>" on <cell> directly
    Then anna sees the text "Organization: <organization>" (OR-09)

    Examples:
      | page                | path                                       | cell     | organization      |
      | a dashboard         | /organizations/my-organization/-/dashboard | cell_eu0 | My Organization   |
      | an overview         | /organizations/my-organization             | cell_eu0 | My Organization   |
      | a group             | /my-company                                | cell_eu0 | My Organization   |
      | a project           | /my-company/my-project                     | cell_eu0 | My Organization   |
      | a project elsewhere | /gitlab-org/gitlab                         | cell_us0 | GitLab.com Public |
      | a form for groups   | /groups/new                                | cell_us1 | My Organization   |
      | a page of settings  | /-/user_settings                           | cell_us1 | My Organization   |

  @doc:buffering/team-member @doc:routes-learning/team-member
  Scenario: a member may choose the public organization by its name
    When anna sends POST "/-/user_settings" with the form "default_organization=GitLab.com+Public" on cell_us0 directly
    And anna visits "/" on cell_us0 directly
    Then anna is redirected to "/dashboard" (OR-05)

  @doc:buffering/changes:item-6
  Scenario: a legacy namespace belongs to the public organization
    When anna visits "/gitlab-org/gitlab" on cell_us0 directly
    Then anna sees the text "Organization: GitLab.com Public" (OR-06)

  @doc:buffering/new-namespace @doc:routes-learning/new-namespace
  Scenario: the form for a group asks for the organization
    When anna visits "/groups/new" on cell_us0 directly
    Then anna sees the text "Which organization does the group belong to?" (NS-01)

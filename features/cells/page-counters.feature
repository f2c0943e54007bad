@cells @buffering
Feature: Counters at the top of a page
  Each page counts the to-do items, issues and merge requests of its reader from the data of its
  cell: all of them on the reader's own cell, and fewer elsewhere.

  Background:
    Given anna is signed in
    And gabe is signed in
    And nina is signed in

  @doc:buffering/project-elsewhere @doc:routes-learning/project-elsewhere
  Scenario Outline: a page of the reader's own cell counts everything
    When <person> visits "<path>" on <cell> directly
    Then <person> sees the counts of <todos> to-do items, <issues> issues and <merge requests> merge requests (OR-17)

    Examples:
      | page                            | path                                           | cell     | person | todos | issues | merge requests |
      | the dashboard                   | /organizations/my-organization/-/dashboard     | cell_eu0 | anna   | 3     | 2      | 1              |
      | a project                       | /my-company/my-project                         | cell_eu0 | anna   | 3     | 2      | 1              |
      | a public handbook               | /my-company/handbook                           | cell_eu0 | anna   | 3     | 2      | 1              |
      | the global dashboard            | /dashboard                                     | cell_us0 | gabe   | 7     | 5      | 4              |
      | a public project                | /gitlab-org/gitlab                             | cell_us0 | gabe   | 7     | 5      | 4              |
      | the dashboard of another member | /organizations/not-my-organization/-/dashboard | cell_us1 | nina   | 1     | 0      | 2              |

  @doc:buffering/paying-user @doc:routes-learning/paying-user
  Scenario Outline: a page of another cell does not count everything
    When <person> visits "<path>" on <cell> directly
    Then <person> sees the page "<page>" (OR-10)
    And <person> does not see the counts of <todos> to-do items, <issues> issues and <merge requests> merge requests (OR-10)

    Examples:
      | case                        | path                 | cell     | page                | person | todos | issues | merge requests |
      | a member on the legacy cell | /gitlab-org/gitlab   | cell_us0 | GitLab.org / GitLab | anna   | 3     | 2      | 1              |
      | a member on another cell    | /my-company/handbook | cell_eu0 | Handbook            | nina   | 1     | 0      | 2              |
      | a member at a namespace     | /gitlab-org          | cell_us0 | GitLab.org          | anna   | 3     | 2      | 1              |

  @doc:buffering/project-elsewhere @doc:routes-learning/project-elsewhere
  Scenario: a page of another cell omits the to-do items and says so
    When anna visits "/gitlab-org/gitlab" on cell_us0 directly
    Then anna sees the counts of 0 to-do items, 0 issues and 0 merge requests (OR-12)
    And anna sees the notice "to-do items" (OR-18)

  @doc:buffering/default-organization @doc:routes-learning/default-organization
  Scenario Outline: a global page names no organization to a legacy user
    When gabe visits "<path>" on cell_us0 directly
    Then gabe sees the page "<page>" (OR-04)
    And gabe does not see the text "Organization:" (OR-04)

    Examples:
      | path               | page                |
      | /dashboard         | Dashboard           |
      | /gitlab-org/gitlab | GitLab.org / GitLab |

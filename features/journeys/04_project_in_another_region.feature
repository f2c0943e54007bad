@journey
Feature: Navigates to /gitlab-org/gitlab after last step
  The EU router knows only /my-company. The owner of /gitlab-org is Cell US0, in another region.

  Background:
    Given anna is signed in
    And a cold EU router
    And anna visited "/my-company/my-project"

  @buffering @doc:buffering/project-elsewhere
  Rule: Internal redirect

    @req:RG-01
    @doc:buffering/project-elsewhere:drawing @doc:buffering/project-elsewhere:item-2 @doc:buffering/project-elsewhere:item-3
    @doc:buffering/project-elsewhere:item-4
    Scenario: a cell of the home region redirects to the owner abroad
      When anna visits "/gitlab-org/gitlab", asking cell_eu0 first
      Then anna sees the page "GitLab.org / GitLab" (RT-08)
      And the exchange was (RG-01)
        """
        user->>router_eu: GET /gitlab-org/gitlab
        router_eu->>cell_eu0: GET /gitlab-org/gitlab
        cell_eu0-->>router_eu: 302 /gitlab-org/gitlab X-Gitlab-Cell-Redirect={cell:Cell US0}
        %% RG-02 the same router reaches the owner abroad
        router_eu->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/gitlab-org/}]
        """

    @req:CA-18
    Scenario: an entry for the group leads to the owner abroad
      Given anna visited "/gitlab-org/gitlab"
      When anna visits "/gitlab-org/gitlab-test"
      Then anna sees the text "GitLab Test" (RT-09)
      And the exchange was (CA-18)
        """
        user->>router_eu: GET /gitlab-org/gitlab-test
        router_eu->>cell_us0: GET /gitlab-org/gitlab-test
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/gitlab-org/}]
        """

    Scenario: an entry for another company is kept
      Given anna visited "/gitlab-org/gitlab"
      When anna visits "/my-company/my-other-project"
      Then the exchange was (CA-10)
        """
        user->>router_eu: GET /my-company/my-other-project
        router_eu->>cell_eu0: GET /my-company/my-other-project
        cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/my-company/}]
        """

  @learning @doc:routes-learning/project-elsewhere
  Rule: Pre-flight at home

    @req:LN-01
    @doc:routes-learning/project-elsewhere:drawing @doc:routes-learning/project-elsewhere:item-2
    @doc:routes-learning/project-elsewhere:item-4
    Scenario: a cell of the home region names the owner abroad
      When anna visits "/gitlab-org/gitlab", asking cell_eu0 first
      Then anna sees the page "GitLab.org / GitLab" (RG-02)
      And the exchange was (LN-01)
        """
        user->>router_eu: GET /gitlab-org/gitlab
        %% choice LN-17
        router_eu->>cell_eu0: GET {learn}?method=GET&path_info=/gitlab-org/gitlab
        cell_eu0-->>router_eu: 200 {path: "/gitlab-org", cell: "cell_us0", source: "routable"}
        %% RG-02 the same router reaches the owner abroad
        router_eu->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        """

    @req:LN-05
    Scenario: a project of a learned group needs no pre-flight
      Given anna visited "/gitlab-org/gitlab"
      When anna visits "/gitlab-org/gitlab-test"
      Then anna sees the text "GitLab Test" (RT-09)
      And the exchange was (LN-05)
        """
        user->>router_eu: GET /gitlab-org/gitlab-test
        router_eu->>cell_us0: GET /gitlab-org/gitlab-test
        cell_us0-->>user: 200
        """

    Scenario: an entry learned for another company is kept
      Given anna visited "/gitlab-org/gitlab"
      When anna visits "/my-company/my-other-project"
      Then the exchange was (CA-10)
        """
        user->>router_eu: GET /my-company/my-other-project
        router_eu->>cell_eu0: GET /my-company/my-other-project
        cell_eu0-->>user: 200
        """

  @buffering @learning @doc:buffering/project-elsewhere @doc:routes-learning/project-elsewhere
  Rule: Pages elsewhere

    @any-cache
    @doc:buffering/paying-user @doc:routes-learning/paying-user
    Scenario: a page of another cell calls its counts incomplete
      When anna visits "/gitlab-org/gitlab"
      Then anna sees the page "GitLab.org / GitLab" (OR-10)
      And anna does not see the counts of 3 to-do items, 2 issues and 1 merge request (OR-10)
      And anna sees the notice "not right here" (OR-11)

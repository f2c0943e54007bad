@journey
Feature: Navigates to /gitlab-org/gitlab while not logged in
  A visitor in the US visits a public project. It lives on Cell US0, in the router's own region.

  @buffering @doc:buffering/public-project-signed-out
  Rule: Public project by redirect

    @req:CA-03
    @doc:buffering/public-project-signed-out:drawing @doc:buffering/public-project-signed-out:item-2
    @doc:buffering/public-project-signed-out:item-3
    Scenario: a cached owner serves a visitor
      Given a cold US router
      And visitor visited "/gitlab-org/gitlab"
      When visitor visits "/gitlab-org/gitlab"
      Then visitor sees the page "GitLab.org / GitLab" (GL-08)
      And the exchange was (CA-03)
        """
        user->>router_us: GET /gitlab-org/gitlab
        router_us->>cell_us0: GET /gitlab-org/gitlab
        %% CA-05 the owner sets the cache header again
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/gitlab-org/}]
        """

    @req:BF-03
    Scenario: a cold router finds the owner in its own region
      Given a cold US router
      When visitor visits "/gitlab-org/gitlab"
      Then visitor sees the page "GitLab.org / GitLab" (GL-08)
      And the exchange was (BF-03)
        """
        user->>router_us: GET /gitlab-org/gitlab
        opt the router picks Cell US1
          router_us->>cell_us1: GET /gitlab-org/gitlab
          cell_us1-->>router_us: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        end
        router_us->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/gitlab-org/}]
        """

    @req:RG-02
    Scenario: a cold router in Europe finds the owner in the US
      Given a cold EU router
      When visitor visits "/gitlab-org/gitlab"
      Then visitor sees the page "GitLab.org / GitLab" (GL-08)
      And the exchange was (RG-02)
        """
        user->>router_eu: GET /gitlab-org/gitlab
        router_eu->>any_eu_cell: GET /gitlab-org/gitlab
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
        router_eu->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/gitlab-org/}]
        """

    Scenario: an entry cached for a signed-in user serves a visitor
      Given gabe is signed in
      And a cold US router
      And gabe visited "/gitlab-org/gitlab"
      When visitor visits "/gitlab-org/gitlab"
      Then the exchange was (CA-09)
        """
        user->>router_us: GET /gitlab-org/gitlab
        router_us->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/gitlab-org/}]
        """

  @learning @doc:routes-learning/public-project-signed-out
  Rule: Public project by pre-flight

    @req:CA-08
    @doc:routes-learning/public-project-signed-out:drawing @doc:routes-learning/public-project-signed-out:item-2
    @doc:routes-learning/public-project-signed-out:item-3
    Scenario: a learned owner serves a visitor
      Given a cold US router
      And visitor visited "/gitlab-org/gitlab"
      When visitor visits "/gitlab-org/gitlab"
      Then visitor sees the page "GitLab.org / GitLab" (GL-08)
      And the exchange was (CA-08)
        """
        user->>router_us: GET /gitlab-org/gitlab
        router_us->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        """

    @req:LN-01
    Scenario: a cold router learns the owner in its own region
      Given a cold US router
      When visitor visits "/gitlab-org/gitlab"
      Then visitor sees the page "GitLab.org / GitLab" (GL-08)
      And the exchange was (LN-01)
        """
        user->>router_us: GET /gitlab-org/gitlab
        %% choice LN-17
        router_us->>any_us_cell: GET {learn}?method=GET&path_info=/gitlab-org/gitlab
        any_us_cell-->>router_us: 200 {path: "/gitlab-org", cell: "cell_us0", source: "routable"}
        %% LN-10 the request itself is sent exactly once
        router_us->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        """

    Scenario: an entry learned for a signed-in user serves a visitor
      Given gabe is signed in
      And a cold US router
      And gabe visited "/gitlab-org/gitlab"
      When visitor visits "/gitlab-org/gitlab"
      Then the exchange was (CA-09)
        """
        user->>router_us: GET /gitlab-org/gitlab
        router_us->>cell_us0: GET /gitlab-org/gitlab
        cell_us0-->>user: 200
        """

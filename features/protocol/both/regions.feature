@protocol @buffering @learning
Feature: Routers and regions
  A router picks cells in its own region and reaches the cells of every region. Several routers
  serve at the same time, and none depends on another.

  Rule: Cells of other regions

    @req:RT-06
    @doc:buffering/diagrams-more-detail:drawing @doc:routes-learning/diagrams-more-detail:drawing
    Scenario Outline: a cell of another region is reached
      Given the namespace "/acme" on <owner>
      And a cold <region> router
      When visitor visits "/acme/things"
      And visitor sends POST "/acme/things" with 1024 random bytes
      Then every user got a cell's response unchanged (RG-02)
      And <owner> responded last (RT-06)

      Examples:
        | owner    | region |
        | cell_us0 | EU     |
        | cell_us1 | EU     |
        | cell_eu0 | US     |
        | cell_eu1 | US     |

    @any-cache
    @doc:buffering/cons:item-3 @doc:routes-learning/cons:item-3
    Scenario: a request may cross regions
      Given a cold EU router
      When visitor visits "/gitlab-org/gitlab"
      Then visitor gets the response of cell_us0 (RT-18)
      And visitor sees the page "GitLab.org / GitLab" (RG-02)

  @doc:buffering/changes:item-5 @doc:routes-learning/changes:item-5
  Rule: A single router

    @any-cache @late
    Scenario: each request gets the response of one cell
      Given a cold EU router
      And anna is signed in
      When anna visits "/my-company/my-project"
      And anna visits "/gitlab-org/gitlab"
      And anna visits "/my-company/handbook"
      Then every user got a cell's response unchanged (RT-01)
      And cell_eu0 responded last (RT-01)

    Scenario: a request that any cell can serve reaches one cell
      Given a cold EU router
      When visitor visits "/"
      Then the last request reached exactly one cell (RT-01)

  @doc:buffering/introduction @doc:buffering/pros:item-1 @doc:routes-learning/introduction @doc:routes-learning/pros:item-1
  Rule: Several routers

    Background:
      Given a cold EU router
      And anna is signed in

    Scenario: two routers serve the same user
      Given a cold US router
      When anna visits "/my-company/my-project" through the EU router
      And anna visits "/gitlab-org/gitlab" through the US router
      And anna visits "/gitlab-org/gitlab" through the EU router
      And anna visits "/my-company/my-project" through the US router
      Then every user got a cell's response unchanged (RT-04)
      And anna sees the page "My Project" (RT-04)
      And the routers became ready and stopped when told to (RT-04)

    Scenario Outline: a router serves after another one has stopped
      Given a cold US router
      And anna visited "/my-company/my-project" through the EU router
      And anna visited "/gitlab-org/gitlab" through the US router
      When the <stopped> router stops
      And anna visits "/gitlab-org/gitlab" through the <other> router
      And anna visits "/my-company/my-project" through the <other> router
      Then every user got a cell's response unchanged (RT-04)
      And anna sees the page "My Project" (RT-04)

      Examples:
        | stopped | other |
        | EU      | US    |
        | US      | EU    |

    Scenario: a restarted router finds the owner
      When anna visits "/my-company/my-project"
      And the EU router restarts
      And anna visits "/my-company/my-project"
      Then the last two responses were indistinguishable (RT-03)
      And every user got a cell's response unchanged (RT-03)
      And anna sees the page "My Project" (RT-03)

    Scenario: a restarted router finds the owner after a move
      Given anna visited "/my-company/my-project"
      When the organization "my-organization" moves to cell_us1
      And the EU router restarts
      And anna visits "/my-company/my-project"
      Then anna sees the page "My Project" (RT-03)
      And anna gets the response of cell_us1 (RT-03)

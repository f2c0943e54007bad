@cells
Feature: Runners that all cells share
  Registrations and the queue of jobs are in tables that all cells have in common, so a runner gets
  jobs of every cell, and each job goes to one runner.

  Background:
    Given all cells share runners

  @buffering @learning @doc:buffering/runners:item-1 @doc:routes-learning/runners:item-1
  Rule: One queue for all cells

    Scenario: a runner registered in the US takes a job of Europe
      Given a cold US router
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us0
      And runner_a asks for a job
      Then runner_a gets a job of "my-company/my-project" (RU-01)

    Scenario: each job goes to one of 50 runners that ask at once
      Given a cold US router
      When the project "my-company/my-project" queues 30 jobs
      And the project "gitlab-org/gitlab" queues 40 jobs
      And 50 runners of cell_us0 ask for a job at once, 2 times each
      Then 70 jobs were given, none twice (RU-05)

  @buffering @learning @doc:buffering/runners:item-1 @doc:routes-learning/runners:item-1
  Rule: Runners of groups and projects

    Scenario Outline: a shared runner of a <scope> takes jobs of its <scope> alone
      Given a cold US router
      When the project "<other>" queues 1 job
      And the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us0 for the <scope> "<path>"
      And runner_a asks for a job
      Then runner_a gets a job of "my-company/my-project" (RU-02)

      Examples:
        | scope   | path                  | other                       |
        | group   | my-company            | gitlab-org/gitlab           |
        | project | my-company/my-project | my-company/my-other-project |

    Scenario: a runner of a group that takes no part is known to its cell alone
      Given runners of groups and projects are not shared
      And a cold US router
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0 for the group "my-company"
      And runner_a asks for a job
      Then runner_a gets a job of "my-company/my-project" (RU-02)
      And cell_eu0 responded last (RU-02)

  @buffering
  Rule: Any cell of a shared runner

    @doc:buffering/runners:item-1
    Scenario: a runner registered in Europe asks a cell in the US
      When the project "gitlab-org/gitlab" queues 1 job
      And runner_a registers at cell_eu0 on cell_eu0 directly
      And runner_a asks for a job by token alone on cell_us0 directly
      Then runner_a gets a job of "gitlab-org/gitlab" (RU-01)

  @learning
  Rule: The latest cell and shared runners

    @doc:routes-learning/runners:item-1
    Scenario: a runner registered in Europe asks for jobs without a prefix
      Given a cold US router
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0
      And runner_a asks for a job by token alone
      Then runner_a gets a job of "my-company/my-project" (RU-01)

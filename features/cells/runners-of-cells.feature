@cells
Feature: Runners of single cells
  Each cell has its own registrations and jobs. What a runner sends carries the cell: its path
  begins with the prefix that the cell announced, and its token names the cell.

  Background:
    Given each cell has its own runners

  @buffering @learning @doc:buffering/runners:item-2 @doc:routes-learning/runners:item-2
  Rule: Jobs of the cells where a runner is registered

    Scenario: a runner gets a job of its cell
      Given a cold US router
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0
      And runner_a asks for a job
      Then runner_a gets a job of "my-company/my-project" (RU-03)

    Scenario: a runner gets no job of another cell
      Given a cold EU router
      When the project "gitlab-org/gitlab" queues 1 job
      And runner_a registers at cell_eu0
      And runner_a asks for a job
      Then runner_a gets no job (RU-03)

    Scenario: a runner registered twice gets jobs of both cells
      Given a cold EU router
      When the project "my-company/my-project" queues 1 job
      And the project "gitlab-org/gitlab" queues 1 job
      And runner_a registers at cell_us0
      And runner_a registers at cell_eu0
      And runner_a asks for a job
      Then runner_a gets a job of "gitlab-org/gitlab" (RU-03)
      And runner_a gets a job of "my-company/my-project" (RU-03)

  @buffering @learning
  Rule: Requests that reach the cell by their path

    @doc:buffering/runners:item-2 @doc:routes-learning/runners:item-2
    Scenario Outline: a runner of <cell> reaches it through the <region> router
      Given a cold <region> router
      When the project "<project>" queues 1 job
      And runner_a registers at <cell>
      And runner_a asks for a job
      And runner_a reports that the job is done
      Then runner_a gets status 200 (RU-07)
      And <cell> responded last (RU-07)

      Examples:
        | cell     | region | project                       |
        | cell_eu0 | EU     | my-company/my-project         |
        | cell_eu0 | US     | my-company/my-project         |
        | cell_us1 | EU     | not-my-company/not-my-project |
        | cell_us0 | EU     | gitlab-org/gitlab             |

  @buffering
  Rule: Requests that reach the cell by their token

    @doc:buffering/runners:item-2
    Scenario: a token leads to its cell without a prefix
      Given a cold US router
      When the project "my-company/my-project" queues 1 job
      And runner_a registers by a token of cell_eu0 alone
      And runner_a asks for a job by token alone
      Then runner_a gets a job of "my-company/my-project" (RU-07)
      And cell_eu0 responded last (RU-07)

  @learning
  Rule: Requests without a prefix

    @doc:routes-learning/runners:item-2
    Scenario: a token alone leads to no other cell in learning
      Given a cold EU router
      When runner_a registers at cell_eu0
      And runner_a asks for a job by token alone
      Then runner_a gets status 403 (RU-07)
      And cell_us0 responded last (LN-11)

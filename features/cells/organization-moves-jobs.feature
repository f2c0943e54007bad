@cells @buffering @learning
@doc:buffering/migration @doc:buffering/runners @doc:routes-learning/migration
@doc:routes-learning/runners
Feature: Jobs of organizations that move
  Where each cell has its own queue, jobs move with their organization. A shared queue stays
  where it is. The former runner of a job that was given back learns it from its next report.

  Background:
    Given a cold EU router

  Rule: Queues of single cells

    Background:
      Given each cell has its own runners

    Scenario: pending jobs are given out on the new cell
      When the project "my-company/my-project" queues 2 jobs
      And runner_a registers at cell_us1
      And runner_b registers at cell_eu0
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And runner_b asks for a job
      And runner_a asks for a job
      And runner_a asks for a job
      And runner_a asks for a job
      Then runner_b gets no job (MV-08)
      And 2 jobs were given, none twice (MV-08)

    Scenario Outline: no cell gives out a job after <phase>
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us1
      And runner_b registers at cell_eu0
      And the move of "my-organization" to cell_us1 runs through "<phase>"
      And runner_a asks for a job
      And runner_b asks for a job
      And the move of "my-organization" to cell_us1 runs through "thaw"
      And runner_b asks for a job
      And runner_a asks for a job
      Then runner_b gets no job (MV-08)
      And runner_a gets a job of "my-company/my-project" (MV-08)
      And 1 jobs were given, none twice (MV-08)

      Examples:
        | phase         |
        | freeze        |
        | copy the rest |
        | switch        |

    Scenario: a job that a runner has is given back by the freeze
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us1
      And runner_b registers at cell_eu0
      And runner_b asks for a job
      And the move of "my-organization" to cell_us1 runs through "freeze"
      And runner_b reports that the job is done
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And runner_a asks for a job
      Then runner_b gets status 403 (MV-08)
      And runner_a gets a job of "my-company/my-project" (MV-08)

    Scenario: a job that ended before the freeze is given to nobody
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us1
      And runner_b registers at cell_eu0
      And the move of "my-organization" to cell_us1 runs through "copy"
      And runner_b asks for a job
      And runner_b reports that the job is done
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And runner_a asks for a job
      Then runner_b gets status 200 (MV-08)
      And runner_a gets no job (MV-08)

    @req:MV-08
    Scenario Outline: a move taken back from <phase> brings the jobs back
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us1
      And runner_b registers at cell_eu0
      And the mover of "my-organization" to cell_us1 dies in "<phase>"
      And the move of "my-organization" is taken back
      And runner_a asks for a job
      And runner_b asks for a job
      And runner_b asks for a job
      Then 1 jobs were given, none twice (MV-05)
      And runner_a gets no job (MV-08)

      Examples:
        | phase         |
        | freeze        |
        | copy the rest |
        | switch        |
        | thaw          |

    Scenario Outline: a job is given out once though the mover died in <phase>
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us1
      And runner_b registers at cell_eu0
      And the mover of "my-organization" to cell_us1 dies in "<phase>"
      And the move of "my-organization" to cell_us1 runs through "<rest>"
      And runner_b asks for a job
      And runner_a asks for a job
      And runner_a asks for a job
      Then runner_b gets no job (MV-08)
      And 1 jobs were given, none twice (MV-05)

      Examples:
        | phase         | rest     |
        | copy          | thaw     |
        | freeze        | thaw     |
        | copy the rest | clean up |
        | switch        | clean up |

    Scenario: no job is given twice while the clean-up is half done
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us1
      And runner_b registers at cell_eu0
      And the mover of "my-organization" to cell_us1 dies in "clean up"
      And runner_b asks for a job
      And runner_a asks for a job
      Then runner_b gets no job (MV-08)
      And runner_a gets a job of "my-company/my-project" (MV-08)

  Rule: A shared queue

    Scenario Outline: a runner keeps its job through a move up to <phase>
      Given all cells share runners
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us0
      And runner_b registers at cell_us0
      And runner_a asks for a job
      And the move of "my-organization" to cell_us1 runs through "<phase>"
      And runner_b asks for a job
      And runner_a reports that the job is done
      Then runner_b gets no job (MV-08)
      And runner_a gets status 200 (MV-08)

      Examples:
        | phase    |
        | freeze   |
        | clean up |

    Scenario: a pending job of a shared queue is given out once after a move
      Given all cells share runners
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_us0
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And runner_a asks for a job
      And runner_a asks for a job
      Then 1 jobs were given, none twice (MV-08)

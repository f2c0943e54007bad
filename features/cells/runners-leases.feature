@cells @buffering @learning
Feature: Leases of jobs
  A runner has a job for an hour after its last report about it. The clock of the cells is advanced;
  nobody waits for it.

  Background:
    Given a cold EU router

  @doc:buffering/runners @doc:routes-learning/runners
  Rule: One runner at a time

    Scenario Outline: a job goes to no second runner while its lease lasts
      Given <model>
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0
      And runner_b registers at cell_eu0
      And runner_a asks for a job
      And 3540 s pass on the clock of the cells
      And runner_b asks for a job
      Then runner_a gets a job of "my-company/my-project" (RU-05)
      And runner_b gets no job (RU-05)

      Examples:
        | model                         |
        | all cells share runners       |
        | each cell has its own runners |

    Scenario Outline: a runner that reports keeps its job beyond the lease
      Given <model>
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0
      And runner_b registers at cell_eu0
      And runner_a asks for a job
      And 3000 s pass on the clock of the cells
      And runner_a reports that the job is running
      And 3000 s pass on the clock of the cells
      And runner_b asks for a job
      Then runner_a gets status 200 (RU-05)
      And runner_b gets no job (RU-05)

      Examples:
        | model                         |
        | all cells share runners       |
        | each cell has its own runners |

    Scenario Outline: a job that is done is given to nobody
      Given <model>
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0
      And runner_a asks for a job
      And runner_a reports that the job is done
      And 3660 s pass on the clock of the cells
      And runner_a asks for a job
      Then runner_a gets no job (RU-05)

      Examples:
        | model                         |
        | all cells share runners       |
        | each cell has its own runners |

  @doc:buffering/runners @doc:routes-learning/runners
  Rule: Runners that die

    Scenario Outline: the job of a dead runner is given again
      Given <model>
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0
      And runner_b registers at cell_eu0
      And runner_a asks for a job
      And runner_a leaves
      And 3660 s pass on the clock of the cells
      And runner_b asks for a job
      Then runner_a gets a job of "my-company/my-project" (RU-06)
      And runner_b gets a job of "my-company/my-project" (RU-06)

      Examples:
        | model                         |
        | all cells share runners       |
        | each cell has its own runners |

    Scenario Outline: a runner whose lease has ended cannot end the job
      Given <model>
      When the project "my-company/my-project" queues 1 job
      And runner_a registers at cell_eu0
      And runner_b registers at cell_eu0
      And runner_a asks for a job
      And 3660 s pass on the clock of the cells
      And runner_b asks for a job
      And runner_a reports that the job is done
      And runner_b reports that the job is done
      Then runner_a gets status 403 (RU-06)
      And runner_b gets status 200 (RU-06)

      Examples:
        | model                         |
        | all cells share runners       |
        | each cell has its own runners |

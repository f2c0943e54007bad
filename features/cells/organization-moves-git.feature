@cells @buffering @learning
@doc:buffering/migration @doc:buffering/organization-moved
@doc:routes-learning/migration @doc:routes-learning/organization-moved
Feature: Git repositories of organizations that move
  A repository is content of its cell: refs, and the objects behind them. People push and clone over
  git's smart HTTP protocol. Entries of a learning router are stale for one lifetime, so it passes.

  Background:
    Given cache entries live 400 ms
    And anna is signed in
    And a cold EU router

  Rule: Pushes in each phase

    @req:MV-07
    Scenario Outline: a clone from the new cell has what was pushed after <phase>
      When anna pushes the commit "First" to "/my-company/my-project.git"
      And the move of "my-organization" to cell_us1 runs through "<phase>"
      And the time to live of learned entries passes
      And anna pushes the commit "Second" to "/my-company/my-project.git"
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And the time to live of learned entries passes
      And anna clones "/my-company/my-project.git"
      Then anna has cloned the commit "Second" (MV-01)
      And anna has cloned all that was pushed (MV-07)
      And cell_us1 responded last (MV-07)
      And no two cells took writes of one organization (MV-06)

      Examples:
        | phase    |
        | announce |
        | copy     |
        | thaw     |

    Scenario Outline: a push after <phase> is refused
      When anna pushes the commit "First" to "/my-company/my-project.git"
      And the move of "my-organization" to cell_us1 runs through "<phase>"
      And the time to live of learned entries passes
      And anna pushes the commit "Second" to "/my-company/my-project.git"
      Then anna gets status 503 (MV-03)
      And the response to anna carries the fields: (MV-03)
        """
        Retry-After: 1
        """
      And <cell> responded last (MV-03)

      Examples:
        | phase         | cell     |
        | freeze        | cell_eu0 |
        | copy the rest | cell_eu0 |
        | switch        | cell_us1 |

    @req:MV-07
    Scenario Outline: a push that was refused after <phase> works later
      When anna pushes the commit "First" to "/my-company/my-project.git"
      And the move of "my-organization" to cell_us1 runs through "<phase>"
      And the time to live of learned entries passes
      And anna pushes the commit "Second" to "/my-company/my-project.git"
      And the move of "my-organization" to cell_us1 runs through "thaw"
      And the time to live of learned entries passes
      And anna pushes the commit "Second" to "/my-company/my-project.git"
      And anna clones "/my-company/my-project.git"
      Then anna has cloned the commit "Second" (MV-03)
      And anna has cloned all that was pushed (MV-07)

      Examples:
        | phase         |
        | freeze        |
        | copy the rest |
        | switch        |

    @req:MV-06
    Scenario: a cell that does not know of the move yet takes no push
      Given the replicas of the EU region lag until they are released
      When anna pushes the commit "First" to "/my-company/my-project.git"
      And the move of "my-organization" to cell_us1 runs through "thaw"
      And anna pushes the commit "Too late" to "/my-company/my-project.git" on cell_eu0 directly
      And anna pushes the commit "Second" to "/my-company/my-project.git" on cell_us1 directly
      And the replicas are released
      And the move of "my-organization" to cell_us1 runs through "clean up"
      And anna clones "/my-company/my-project.git" on cell_us1 directly
      Then anna has cloned the commit "Second" (MV-07)
      And anna has cloned all that was pushed (MV-07)
      And no two cells took writes of one organization (MV-06)

  Rule: Clones in each phase

    Scenario Outline: clones work after <phase>
      When anna pushes the commit "First" to "/my-company/my-project.git"
      And the move of "my-organization" to cell_us1 runs through "<phase>"
      And the time to live of learned entries passes
      And anna clones "/my-company/my-project.git"
      Then anna has cloned the commit "First" (MV-02)

      Examples:
        | phase         |
        | announce      |
        | copy          |
        | freeze        |
        | copy the rest |
        | switch        |
        | thaw          |
        | clean up      |

  Rule: A mover that dies

    Scenario Outline: all is there after a mover died in <phase>
      When anna pushes the commit "First" to "/my-company/my-project.git"
      And the mover of "my-organization" to cell_us1 dies in "<phase>"
      And the move of "my-organization" is taken back
      And the time to live of learned entries passes
      And anna pushes the commit "Second" to "/my-company/my-project.git"
      And anna clones "/my-company/my-project.git"
      Then anna has cloned the commit "Second" (MV-05)
      And anna has cloned all that was pushed (MV-07)
      And cell_eu0 responded last (MV-05)
      And no two cells took writes of one organization (MV-06)

      Examples:
        | phase         |
        | copy          |
        | copy the rest |
        | switch        |
        | thaw          |

@cells @buffering @learning
@doc:buffering/project-signed-out @doc:routes-learning/project-signed-out
Feature: Git clients without credentials
  A git client does not fill in a sign-in form: it asks its user for a password once it gets a 401
  that says how to prove who they are.

  Background:
    Given a cold EU router

  Scenario Outline: a <access> of a private project without credentials gets a 401
    When visitor visits "<repository>/info/refs?service=git-<service>-pack"
    Then visitor gets status 401 (LG-08)
    And the response to visitor carries the fields: (LG-08)
      """
      WWW-Authenticate: Basic realm="GitLab"
      """
    And visitor does not see the text "refs/heads" (LG-08)
    And every user got a cell's response unchanged (RT-08)

    Examples:
      | access                    | repository                         | service |
      | clone                     | /my-company/my-project.git         | upload  |
      | push                      | /my-company/my-project.git         | receive |
      | clone from another region | /not-my-company/not-my-project.git | upload  |

  Scenario: a private repository looks like a missing one
    When visitor visits "/my-company/my-project.git/info/refs?service=git-upload-pack" on cell_eu0 directly
    And visitor visits "/my-company/no-such-project.git/info/refs?service=git-upload-pack" on cell_eu0 directly
    Then visitor gets status 401 (LG-08)
    And the last two responses were indistinguishable (PR-03)

  Scenario: a clone works once the client says who it is
    Given anna is signed in
    When visitor visits "/my-company/my-project.git/info/refs?service=git-upload-pack"
    And anna pushes the commit "First" to "/my-company/my-project.git"
    And anna clones "/my-company/my-project.git"
    Then visitor gets status 401 (LG-08)
    And anna has cloned the commit "First" (LG-08)

@hardening @learning
Feature: The learn endpoint is no place for users
  It tells where a namespace lives, private or not, whoever asks. What cells tell a router is not to be had through it,
  however the path is spelt.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:Z-10
  Scenario Outline: a user asks
    When visitor sends the target "<target>"
    Then visitor does not see the text "cell_us1" (Z-10)
    And visitor does not see the text "routable" (Z-10)

    Examples:
      | spelling      | target                                                                                        |
      | as it is      | /api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project              |
      | a final slash | /api/v4/internal/cells/learn/?method=GET&path_info=/not-my-company/not-my-project             |
      | escaped       | /api/v4/internal/cells/%6Cearn?method=GET&path_info=/not-my-company/not-my-project            |
      | two slashes   | /api/v4/internal//cells/learn?method=GET&path_info=/not-my-company/not-my-project             |
      | slashes first | //api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project             |
      | a dot         | /api/v4/internal/./cells/learn?method=GET&path_info=/not-my-company/not-my-project            |
      | two dots      | /api/v4/users/../internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project     |
      | escaped dots  | /api/v4/users/%2e%2e/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project |

  @req:Z-10
  Scenario Outline: under the earlier path
    Given the learn endpoint is "/api/v4/cells/learn"
    When visitor sends the target "<target>"
    Then visitor does not see the text "cell_us1" (Z-10)

    Examples:
      | spelling | target                                                                    |
      | as it is | /api/v4/cells/learn?method=GET&path_info=/not-my-company/not-my-project   |
      | escaped  | /api/v4/%63ells/learn?method=GET&path_info=/not-my-company/not-my-project |

  @req:Z-10
  Scenario: somebody who is signed in
    Given anna is signed in
    When anna visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project"
    Then anna does not see the text "cell_us1" (Z-10)

  @req:Z-10
  Scenario: in absolute form
    When visitor sends the bytes:
      """
      GET http://{host}/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/x HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close

      """
    Then visitor does not see the text "cell_us1" (Z-10)

  # The router itself goes on asking.
  @req:Z-10
  Scenario: the router is not shut out
    When visitor visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/x"
    And visitor visits "/gitlab-org/gitlab"
    Then visitor gets the response of cell_us0 (Z-10)

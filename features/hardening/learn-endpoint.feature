@hardening @learning
Feature: The learn endpoint is not exposed to users
  The learn endpoint says where a namespace lives, private or not, whoever asks. A user cannot get
  that response through the router, however the path is spelled.

  Background:
    Given a cold EU router

  Scenario Outline: a user cannot reach the learn endpoint
    When visitor sends the target "<target>"
    Then visitor does not see the text "cell_us1" (Z-10)
    And visitor does not see the text "routable" (Z-10)

    Examples:
      | spelling                  | target                                                                                            |
      | plain                     | /api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project                  |
      | trailing slash            | /api/v4/internal/cells/learn/?method=GET&path_info=/not-my-company/not-my-project                 |
      | escaped letter            | /api/v4/internal/cells/%6Cearn?method=GET&path_info=/not-my-company/not-my-project                |
      | double slash inside       | /api/v4/internal//cells/learn?method=GET&path_info=/not-my-company/not-my-project                 |
      | double slash at the start | //api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project                 |
      | dot segment               | /api/v4/internal/./cells/learn?method=GET&path_info=/not-my-company/not-my-project                |
      | double dot segment        | /api/v4/users/../internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project         |
      | escaped dot segments      | /api/v4/users/%2e%2e/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project     |
      | parameter                 | /api/v4/internal/cells/learn;x?method=GET&path_info=/not-my-company/not-my-project                |
      | parameter of a segment    | /api/v4/internal;x=1/cells/learn?method=GET&path_info=/not-my-company/not-my-project              |
      | dots with a parameter     | /api/v4/users/..;/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project        |
      | dots escaped twice        | /api/v4/users/%252e%252e/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project |
      | letter escaped twice      | /api/v4/internal/cells/%256Cearn?method=GET&path_info=/not-my-company/not-my-project              |
      | backslash                 | /api/v4/internal\\cells/learn?method=GET&path_info=/not-my-company/not-my-project                 |
      | escaped slash             | /api/v4/internal%2Fcells/learn?method=GET&path_info=/not-my-company/not-my-project                |
      | escaped backslash         | /api/v4/internal%5Ccells/learn?method=GET&path_info=/not-my-company/not-my-project                |
      | escaped line feed         | /api/v4/internal/cells/learn%0a?method=GET&path_info=/not-my-company/not-my-project               |
      | format at the end         | /api/v4/internal/cells/learn.json?method=GET&path_info=/not-my-company/not-my-project             |

  Scenario Outline: a user cannot reach the learn endpoint at its earlier path
    Given the learn endpoint is "/api/v4/cells/learn"
    When visitor sends the target "<target>"
    Then visitor does not see the text "cell_us1" (Z-10)

    Examples:
      | spelling       | target                                                                    |
      | plain          | /api/v4/cells/learn?method=GET&path_info=/not-my-company/not-my-project   |
      | escaped letter | /api/v4/%63ells/learn?method=GET&path_info=/not-my-company/not-my-project |

  Scenario: a signed-in user cannot reach the learn endpoint
    Given anna is signed in
    When anna visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/not-my-project"
    Then anna does not see the text "cell_us1" (Z-10)

  Scenario: a user cannot reach the learn endpoint in absolute form
    When visitor sends raw bytes:
      """
      GET http://{host}/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/x HTTP/1.1
      {host and id}
      Connection: close

      """
    Then visitor does not see the text "cell_us1" (Z-10)

  Scenario: a user who asks for the learn endpoint does not block pre-flights
    The router itself may still ask.
    When visitor visits "/api/v4/internal/cells/learn?method=GET&path_info=/not-my-company/x"
    And visitor visits "/gitlab-org/gitlab"
    Then visitor gets the response of cell_us0 (Z-10)

  Scenario Outline: what users get at the learn path, and near it, is permitted by the model
    A router refuses as it likes where cells could read the learn path, and nowhere else.
    When visitor sends the target "<target>"
    And visitor sends the target "/not-my-company/not-my-project"
    And visitor sends the target "<target>"
    Then the model of the documents permits every exchange (Z-10)

    Examples:
      | path                  | target                                                                       |
      | the learn path        | /api/v4/internal/cells/learn?method=GET&path_info=/not-my-company            |
      | without a query       | /api/v4/internal/cells/learn                                                 |
      | a slash at its end    | /api/v4/internal/cells/learn/?method=GET&path_info=/not-my-company           |
      | doubled slashes       | //api/v4/internal//cells/learn?method=GET&path_info=/not-my-company          |
      | dot segments          | /api/v4/./users/../internal/cells/learn?method=GET&path_info=/not-my-company |
      | escaped               | /api/v4/internal/cells/%6Cearn?method=GET&path_info=/not-my-company          |
      | escaped twice         | /api/v4/internal/cells/%256Cearn?method=GET&path_info=/not-my-company        |
      | an escaped slash      | /api/v4/internal%2Fcells/learn?method=GET&path_info=/not-my-company          |
      | a parameter           | /api/v4/internal/cells/learn;x?method=GET&path_info=/not-my-company          |
      | a control character   | /api/v4/internal/cells/learn%0a?method=GET&path_info=/not-my-company         |
      | other letters         | /api/v4/internal/cells/LEARN?method=GET&path_info=/not-my-company            |
      | a format at its end   | /api/v4/internal/cells/learn.json?method=GET&path_info=/not-my-company       |
      | a page below it       | /api/v4/internal/cells/learn/not-my-company                                  |
      | a page above it       | /api/v4/internal/cells                                                       |
      | a name that begins so | /api/v4/internal/cells/learners                                              |
      | a page below such one | /api/v4/internal/cells/learners/me                                           |
      | a place that ends so  | /not-my-company/api/v4/internal/cells/learn                                  |

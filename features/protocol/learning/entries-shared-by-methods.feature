@protocol @learning
Feature: Cache entries are shared by methods
  A route learned for a GET should serve the POST that follows, and the other way round. The
  drawing of the login shows it, and no sentence asks for it.

  Background:
    Given a cold EU router

  @doc:routes-learning/project-signed-out:arrow-12
  Scenario Outline: a route learned for one method serves another
    Given the namespace "/acme" on cell_us1
    When visitor sends <first> "/acme/things"
    And visitor sends <second> "/acme/things"
    Then there was one pre-flight (LN-21)
    And visitor gets the response of cell_us1 (RT-08)
    And every request reached exactly one cell (LN-10)

    Examples:
      | methods       | first | second |
      | GET then POST | GET   | POST   |
      | HEAD then PUT | HEAD  | PUT    |
      | POST then GET | POST  | GET    |

  @doc:routes-learning/project-signed-out:item-7
  Scenario: a route learned before the login serves after it
    The journey draws the whole login. This scenario counts the copies of its last request.
    Given anna visited "/my-company/my-project"
    When anna visits "/users/sign_in?redirect=/my-company/my-project"
    And anna signs in
    And anna follows the redirect
    Then the visit went straight to cell_eu0 (LG-07)
    And the last request reached exactly one cell (LG-06)

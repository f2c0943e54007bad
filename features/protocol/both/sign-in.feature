@protocol @buffering @learning
Feature: The query of a sign-in request
  The way back after the login stands in the query. The router leaves it as it is, to the byte.

  Background:
    Given the cells and people of the documents
    And a cold EU router

  @req:LG-04
  @doc:buffering/project-signed-out:arrow-5 @doc:routes-learning/project-signed-out:arrow-9
  Scenario Outline: in the form in which it came
    When visitor sends the target "/users/sign_in?<query>"
    Then every copy of the request carried the same method, target and body (LG-04)
    And every response reached its user as a cell gave it (LG-04)
    And visitor sees the page "Sign in" (LG-04)

    Examples:
      | form                    | query                                            |
      | with a query of its own | redirect=/my-company/my-project%3Fa%3D1%26b%3D+2 |
      | twice                   | redirect=/a?b=/c&redirect=/d&empty=              |

  @req:LG-04 @any-cache
  @doc:buffering/project-signed-out:arrow-5 @doc:routes-learning/project-signed-out:arrow-9
  Scenario: the whole way there and back
    When anna visits "/my-company/my-project?tab=a%2Fb&x="
    And anna follows the redirect
    And anna signs in
    Then anna is sent to "/my-company/my-project?tab=a%2Fb&x=" (LG-04)

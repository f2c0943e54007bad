@protocol @buffering @learning @doc:buffering/project-signed-out:arrow-5 @doc:routes-learning/project-signed-out:arrow-9
Feature: The query of a sign-in request
  The query of the sign-in page says where to return after the login. The router leaves it
  unchanged, to the byte.

  Background:
    Given a cold EU router

  Scenario Outline: the query of a sign-in request reaches the cell unchanged
    When visitor sends the target "/users/sign_in?<query>"
    Then every copy of the request carried the same method, target and body (LG-04)
    And every user got a cell's response unchanged (LG-04)
    And visitor sees the page "Sign in" (LG-04)

    Examples:
      | form               | query                                            |
      | nested query       | redirect=/my-company/my-project%3Fa%3D1%26b%3D+2 |
      | repeated parameter | redirect=/a?b=/c&redirect=/d&empty=              |

  @any-cache
  Scenario: a query survives the login and the redirect back
    When anna visits "/my-company/my-project?tab=a%2Fb&x="
    And anna follows the redirect
    And anna signs in
    Then anna is redirected to "/my-company/my-project?tab=a%2Fb&x=" (LG-04)

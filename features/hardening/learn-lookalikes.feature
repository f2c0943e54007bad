@hardening @learning
Feature: What only looks like a learn answer
  Members are compared to the letter, and at the top of the object. Only status 200 brings an owner, and a redirect of a
  pre-flight leads nowhere.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @req:Z-40
  Scenario Outline: a member that looks like one of the four makes no difference: <member>
    Given every cell answers a pre-flight about "/acme/things" with:
      """
      200
      Content-Type: application/json

      <answer>
      """
    When visitor visits "/acme/things"
    Then visitor gets what cell_us1 answered (Z-40)
    And every request reached exactly one cell (Z-40)

    Examples:
      | member              | answer                                                                                    |
      | in capitals         | {"path": "/acme", "cell": "cell_us1", "Cell": "cell_us0", "source": "routable"}           |
      | in an object before | {"from": {"cell": "cell_us0"}, "path": "/acme", "cell": "cell_us1", "source": "routable"} |

  @req:Z-35 @req:Z-58
  Scenario: a learn answer with another status of success is refused
    Given every cell answers a pre-flight about "/acme/things" with:
      """
      201
      Content-Type: application/json

      {"path": "/acme", "cell": "cell_us1", "source": "routable"}
      """
    When visitor visits "/acme/things"
    Then the router refused the request (Z-35)
    And the refusal names no cell (Z-58)

  @req:Z-35
  Scenario: a redirect of a pre-flight is not followed
    Given every cell answers a pre-flight about "/acme/things" with:
      """
      302
      Location: /acme/answer

      """
    And every cell answers "/acme/answer" with:
      """
      200
      Content-Type: application/json

      {"path": "/acme", "cell": "cell_us1", "source": "routable"}
      """
    When visitor visits "/acme/things"
    Then the router refused the request (Z-35)
    And no cell received a request for "/acme/answer" (Z-35)

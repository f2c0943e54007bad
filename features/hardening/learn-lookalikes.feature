@hardening @learning
Feature: What only looks like a learn response
  Members are compared to the letter, and at the top of the object.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @req:Z-40
  Scenario Outline: a member that looks like one of the four makes no difference: <member>
    Given every cell responds to a pre-flight about "/acme/things" with:
      """
      200
      Content-Type: application/json

      <response>
      """
    When visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (Z-40)
    And every request reached exactly one cell (Z-40)

    Examples:
      | member              | response                                                                                    |
      | in capitals         | {"path": "/acme", "cell": "cell_us1", "Cell": "cell_us0", "source": "routable"}           |
      | in an object before | {"from": {"cell": "cell_us0"}, "path": "/acme", "cell": "cell_us1", "source": "routable"} |

@hardening @buffering @learning
Feature: Responses that routers mistake
  A cell reports a failure, or tells the user to go elsewhere. To a router both are responses like
  others: it passes them on once, and they say nothing about the cell.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:routes-learning/differences
  Scenario Outline: a failure that a cell reports is the response
    Given cell_us1 responds to "/acme/things" with:
      """
      <status>
      Content-Type: application/json
      Retry-After: 0
      X-Request-Id: request-<status>

      {"message":"<status> of the cell"}
      """
    When visitor sends <method> "/acme/things" with <bytes> random bytes
    Then the router retried no request (buffering Z-17, learning LN-10)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | method | bytes | status |
      | GET    | 0     | 500    |
      | GET    | 0     | 502    |
      | GET    | 0     | 503    |
      | GET    | 0     | 504    |
      | GET    | 0     | 429    |
      | POST   | 300   | 500    |
      | POST   | 300   | 502    |
      | POST   | 300   | 504    |
      | PUT    | 300   | 502    |
      | PUT    | 300   | 504    |
      | DELETE | 0     | 503    |

  Scenario Outline: failures that a cell reports shut nobody out
    Given cell_us1 responds to "/acme/broken" with the status <status> and "Content-Type: text/plain"
    When visitor visits "/acme/broken" 12 times
    And anna visits "/acme/things"
    And visitor visits "/acme/broken"
    Then anna gets the response of cell_us1 (Z-110)
    And visitor gets the response of cell_us1 (Z-110)

    Examples:
      | status |
      | 500    |
      | 502    |
      | 503    |
      | 504    |

  Scenario Outline: a redirect for the user is not followed
    Given cell_us1 responds to "/acme/things" with:
      """
      <status>
      Location: /acme/there?state=1

      """
    When visitor sends <method> "/acme/things" with <bytes> random bytes
    Then no cell received a request for "/acme/there" (Z-75)
    And visitor gets the response of cell_us1 (RT-08)

    Examples:
      | status | method | bytes |
      | 301    | GET    | 0     |
      | 303    | POST   | 300   |
      | 307    | GET    | 0     |
      | 307    | PUT    | 300   |
      | 308    | PATCH  | 300   |

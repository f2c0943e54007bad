@hardening @buffering @learning
@doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
Feature: Statuses and reasons of cells
  A cell's response reaches the user with its status, also with one that the router does not know or
  does not expect. Clients know what the first digit says (RFC 9110 15).

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a response with the status <status> arrives
    Given cell_us1 responds to "/acme/things" with:
      """
      <status>
      Content-Type: text/plain
      Retry-After: 120
      X-Field: of <status>

      <body>
      """
    When visitor sends <method> "/acme/things"
    Then visitor gets the response of cell_us1 (RT-08)

    Examples:
      | status | method | body  |
      | 203    | GET    | a     |
      | 205    | POST   |       |
      | 207    | POST   | many  |
      | 226    | GET    | delta |
      | 299    | GET    | b     |
      | 300    | GET    | c     |
      | 399    | GET    | d     |
      | 418    | GET    | e     |
      | 419    | POST   | f     |
      | 420    | GET    | g     |
      | 444    | GET    | h     |
      | 450    | GET    | i     |
      | 499    | POST   | j     |
      | 507    | PUT    | k     |
      | 520    | GET    | l     |
      | 530    | POST   | m     |
      | 599    | GET    | n     |

  Scenario Outline: a response with <reason> arrives
    The reason phrase may be empty, and a router may give another one (RFC 9112 4).
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 <line>
      Content-Type: text/plain
      Content-Length: 5

      hello\
      """
    When visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (RT-08)

    Examples:
      | reason                   | line                 |
      | no reason                | 200\\x20           |
      | no reason for its status | 450\\x20           |
      | a reason beyond ASCII    | 401 Non autoris\\xe9 |
      | the reason of another    | 404 OK               |

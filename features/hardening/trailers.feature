@hardening @buffering @learning
Feature: Trailers of requests and responses
  Trailers come when routing and authentication are over. A router may drop them or pass them on as
  trailers. It makes none of them a field of the head, since no definition of these fields permits
  that (RFC 9110 6.5.1).

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a trailer of a request is no field at the cell
    Given visitor visited "<known>"
    When visitor visits "/acme/before"
    And visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      Transfer-Encoding: chunked
      Trailer: <name>
      Connection: close

      5
      hello
      0
      <name>: <value>

      """
    Then no cell received "<value>" in the field "<name>" (Z-101)
    And no cell took a truncated body for complete (Z-61)

    Examples:
      | known | name           | value                  |
      | /     | Authorization  | Bearer glpat-trailing  |
      | /     | Cookie         | _gitlab_session=late   |
      | /     | Content-Length | 4711                   |
      | /     | Private-Token  | glpat-trailing         |
      | /acme | Content-Type   | application/x-trailing |
      | /acme | X-Field        | trailing               |

  Scenario Outline: a trailer of a response is no field for the user
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Content-Type: text/plain
      Trailer: X-Sum, <name>
      Transfer-Encoding: chunked

      5
      hello
      0
      X-Sum: 5
      <name>: <value>

      """
    When visitor visits "/acme/things"
    Then no response to a user carries the field "<name>" (Z-101)
    And visitor sees the text "hello" (Z-21)

    Examples:
      | name          | value          |
      | Set-Cookie    | late=1; Path=/ |
      | Location      | /acme/late     |
      | Cache-Control | no-store       |
      | X-Field       | trailing       |

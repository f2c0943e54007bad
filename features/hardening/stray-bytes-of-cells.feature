@hardening @buffering @learning
Feature: Bytes of cells behind a response
  A cell sends a body where none may be, or bytes for which nobody asked. They come while no
  request waits on the connection, and so belong to no later request.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: bytes behind a response do not reach the next user
    Given cell_us1 responds to "/acme/things" with the status <status> and "Content-Type: text/plain"
    And cell_us1 sends bytes 20 ms after its response to "/acme/things":
      """
      HTTP/1.1 200 OK
      Content-Type: text/plain
      Content-Length: 7

      spoiled\
      """
    When visitor sends <method> "/acme/things"
    And 300 ms pass
    And anna visits "/acme/more"
    Then visitor gets status <status> (Z-86)
    And anna gets the response of cell_us1 (Z-86)
    And anna does not see the text "spoiled" (Z-86)

    Examples:
      | case       | method | status |
      | HEAD       | HEAD   | 200    |
      | status 204 | POST   | 204    |
      | status 304 | GET    | 304    |
      | GET        | GET    | 200    |

  Scenario Outline: a body where none may be does not reach the next user
    Given cell_us1 responds to "/acme/things" with:
      """
      <status>
      Content-Type: text/plain

      <body>\
      """
    And cell_us1 sends bytes 20 ms after its response to "/acme/things":
      """
      spoiled\
      """
    When visitor sends <method> "/acme/things"
    And 300 ms pass
    And anna visits "/acme/more"
    Then visitor gets status <status> (Z-86)
    And anna gets the response of cell_us1 (Z-86)

    Examples:
      | case       | method | status | body    |
      | HEAD       | HEAD   | 200    | spoiled |
      | status 204 | POST   | 204    |         |
      | status 304 | GET    | 304    |         |

@hardening @buffering @learning
Feature: Interim responses of cells
  A cell may send any number of interim responses ahead of its response, also where nobody expects
  them (RFC 9110 15.2). The request goes on, and their fields are not those of the response.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: interim responses do not end a request
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 <interim>

      HTTP/1.1 200 OK
      Content-Type: text/plain
      Content-Length: 5

      hello\
      """
    When visitor sends <method> "/acme/things"
    Then visitor gets the response of cell_us1 (Z-100)
    And no response to a user carries the field "Link" (Z-100)

    Examples:
      | case            | method | interim                                                                            |
      | 100             | GET    | 100 Continue                                                                       |
      | 100 to a POST   | POST   | 100 Continue                                                                       |
      | 100 twice       | PUT    | 100 Continue\\r\\n\\r\\nHTTP/1.1 100 Continue                                      |
      | 100 with fields | GET    | 100 Go on\\r\\nLink: </a>; rel=next\\r\\nSet-Cookie: early=1                       |
      | 102             | POST   | 102 Processing                                                                     |
      | 102 and others  | GET    | 102 Processing\\r\\n\\r\\nHTTP/1.1 103 Early Hints\\r\\n\\r\\nHTTP/1.1 102 Again   |
      | 103 with fields | GET    | 103 Early Hints\\r\\nLink: </a>; rel=next\\r\\nCache-Control: no-store\\r\\nVary: A |
      | 103 twice       | GET    | 103 Early Hints\\r\\nLink: </a>\\r\\n\\r\\nHTTP/1.1 103 Early Hints\\r\\nLink: </b> |
      | 104             | PUT    | 104 Upload Resumption Supported                                                    |
      | 110             | GET    | 110 Of another kind                                                                |
      | 199             | GET    | 199 Last of the kind                                                               |

  Scenario: a cell that asks for the body once more does not end the request
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 100 Continue

      HTTP/1.1 201 Created
      Content-Type: text/plain
      Content-Length: 5

      hello\
      """
    When visitor sends POST "/acme/things" with 3000 random bytes after 100 Continue
    Then the cell received the complete body (Z-21)
    And visitor gets the response of cell_us1 (Z-100)

  Scenario: an interim response of one request does not reach the next user
    Given cell_us1 sends 103 before its response to "/acme/things"
    When visitor visits "/acme/things"
    And anna visits "/acme/more"
    And visitor visits "/acme/things"
    Then every user got a cell's response unchanged (Z-100)

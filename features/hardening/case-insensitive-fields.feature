@hardening
Feature: Field names and tokens are case-insensitive
  Names of fields, connection options, codings and expectations are compared without regard to
  case. Lists may have empty members, and blanks or tabs around the others (RFC 9110 5.1, 5.6.1,
  7.6.1, 10.1.1; RFC 9112 7).

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering
  Scenario: a redirect header member named sub-cell is not taken for cell
    Given every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: {sub-cell:Cell US0,cell:Cell US1}"
    When visitor visits "/acme/things"
    Then the visit went to cell_us1 as on a cold cache (Z-40)

  @buffering @learning
  Scenario Outline: a routing field of a user written <name> reaches no cell
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      Connection: close
      <name>: {cell:Cell US0}

      """
    Then no cell received the field "<name>" (Z-04)
    And visitor gets the response of cell_us1 (Z-72)

    Examples:
      | name                   |
      | X-GITLAB-CELL-REDIRECT |
      | x-gitlab-CELL-cache    |

  @buffering @learning
  Scenario Outline: a field that Connection lists <way> reaches no cell
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      Connection: <options>
      Connection: <more>
      X-Listed: secret

      """
    Then no cell received the field "X-Listed" (Z-22)
    And visitor gets the response of cell_us1 (Z-22)

    Examples:
      | way                   | options           | more     |
      | in another case       | close, x-LISTED   | X-Other  |
      | on another line       | close             | X-Listed |
      | after an empty member | close,, X-Listed  | X-Other  |
      | after a tab           | close,\\tX-Listed | X-Other  |

  @buffering @learning
  Scenario: a response with Transfer-Encoding CHUNKED arrives complete
    The feature `bodies` sends a request with its coding in capitals.
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Content-Type: text/plain
      Transfer-Encoding: CHUNKED
      Connection: close

      5
      hello
      0

      """
    When visitor visits "/acme/things"
    Then visitor gets status 200 (Z-21)
    And visitor sees the text "hello" (Z-21)

  @buffering @learning
  Scenario: Expect 100-CONTINUE in capitals is met
    When visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      Content-Length: 5
      Expect: 100-CONTINUE
      Connection: close

      hello\
      """
    Then the cell received the complete body (Z-21)
    And visitor gets the response of cell_us1 (Z-21)

  @buffering @learning @capability:upgrade
  Scenario Outline: an upgrade with Connection <options> and Upgrade <protocol> succeeds
    When visitor sends raw bytes:
      """
      GET /acme/-/cable HTTP/1.1
      {host and id}
      Connection: <options>
      Upgrade: <protocol>
      Sec-WebSocket-Version: 13
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

      """
    Then visitor gets status 101 (Z-23)

    Examples:
      | options             | protocol  |
      | UPGRADE             | WebSocket |
      | keep-alive, Upgrade | websocket |

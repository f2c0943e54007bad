@hardening @buffering @learning
Feature: Connections late in the life of a router
  Users have left, and a cell has broken off. Then come those who speak on a connection in their
  own way: WebSockets, bodies that wait for 100, the last request of a connection, HTTP/1.0. All of
  them have many fields, and pages far below the top.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/tools" on cell_eu1
    And the namespace "/weak" on cell_us1
    And 8 paths with different prefixes
    And cell_us1 holds its response to "/acme/a/b/c/held"
    And cell_us1 closes the connection instead of responding to "/weak/a/b/c/broken", once
    # Somebody waits through the whole scenario, also where the router is slow.
    And the response timeout is 15000 ms
    And a cold EU router

  @capability:upgrade @req:Z-23 @req:Z-66
  Scenario Outline: WebSockets last after users left and cells broke off
    Given the cache holds about <entries> entries
    And cache entries live <time> ms
    And nina visited "/acme/a/b/c/first"
    And nina visited "/tools/a/b/c/first"
    When nina starts to visit "/acme/a/b/c/held"
    And gabe starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And visitor visits 8 paths with different cold prefixes
    And 450 ms pass
    And olga opens a WebSocket at "/acme/a/b/c/-/cable"
    And olga sends the message "hello"
    And nina opens a WebSocket at "/tools/a/b/c/-/cable"
    And nina sends the message "hello"
    And nina sends the message "hello again"
    And olga sends the message "once more, with feeling"
    And nina sends the message "and a third time"
    And visitor opens a WebSocket at "/tools/a/b/c/-/cable"
    And visitor sends the message "hello"
    And anna opens a WebSocket at "/tools/a/b/c/-/cable"
    And anna sends the message "hello"
    And the held responses are released
    Then nina received the message "cell_eu1: hello" (Z-23)
    And nina received the message "cell_eu1: hello again" (Z-23)
    And nina received the message "cell_eu1: and a third time" (Z-23)
    And visitor received the message "cell_eu1: hello" (Z-23)
    And anna received the message "cell_eu1: hello" (Z-23)
    And olga received the message "cell_us1: hello" (Z-23)
    And olga received the message "cell_us1: once more, with feeling" (Z-23)
    And the model of the documents permits every exchange (Z-66)

    Examples:
      | case            | entries | time  |
      | evicted entries | 4       | 60000 |
      | expired entries | 10000   | 400   |

  @req:Z-21 @req:Z-66
  Scenario: bodies after 100 Continue arrive after users left and cells broke off
    Given nina visited "/acme/a/b/c/first"
    When nina starts to visit "/acme/a/b/c/held"
    And gabe starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And nina sends PUT "/acme/a/b/c/second" with 70000 random bytes after 100 Continue
    And nina sends PATCH "/acme/a/b/c/second" with 300 random bytes after 100 Continue
    And nina sends POST "/tools/a/b/c/second" with 300 random bytes after 100 Continue
    And nina sends PUT "/tools/a/b/c/second" with 300 random bytes after 100 Continue
    And olga sends raw bytes:
      """
      POST /acme/a/b/c/third HTTP/1.1
      {host and id}
      Content-Length: 7

      first
      PUT /acme/a/b/c/fourth HTTP/1.1
      {host and id}
      {browser fields}
      Content-Type: text/plain
      Content-Length: 20
      Expect: 100-continue

      {100 ms}a second body here
      {100 ms}PATCH /tools/a/b/c/fifth HTTP/1.1
      {host and id}
      Transfer-Encoding: chunked
      Expect: 100-continue

      {100 ms}5
      third
      0

      {100 ms}POST /tools/a/b/c/sixth HTTP/1.1
      {host and id}
      Content-Length: 6
      Expect: 100-continue
      Connection: close

      {100 ms}fourth\
      """
    And the held responses are released
    Then the model of the documents permits every exchange (Z-21)
    And gabe gets the response of cell_us1 (Z-66)

  @req:Z-96 @req:Z-66
  Scenario: connections end where their users say so after users left and cells broke off
    Given cache entries live 400 ms
    And nina visited "/acme/a/b/c/first"
    And olga visited "/tools/a/b/c/first"
    And anna visited "/my-company/handbook"
    When nina starts to visit "/acme/a/b/c/held"
    And gabe starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And 450 ms pass
    And olga sends raw bytes:
      """
      GET /tools/a/b/c/first HTTP/1.1
      {host and id}

      {100 ms}PUT /tools/a/b/c/second HTTP/1.1
      {host and id}
      {browser fields}
      Content-Type: text/plain
      Content-Length: 70000
      Connection: close

      {70000 bytes}GET /tools/a/b/c/third HTTP/1.1
      Host: {host}

      """
    And visitor sends raw bytes:
      """
      DELETE /my-company/a/b/c/first HTTP/1.1
      {host and id}
      {browser fields}
      Content-Type: text/plain
      Content-Length: 70000
      Connection: close

      {70000 bytes}GET /tools/a/b/c/third HTTP/1.1
      Host: {host}

      """
    And the held responses are released
    Then no cell received a request for "/tools/a/b/c/third" (Z-96)
    And gabe gets the response of cell_us1 (Z-66)
    And the model of the documents permits every exchange (Z-66)

  @capability:http10-clients @req:Z-66
  Scenario: users of HTTP/1.0 are served after users left and cells broke off
    Given cache entries live 400 ms
    And nina visited "/acme/a/b/c/first"
    And olga visited "/tools/a/b/c/first"
    And anna visited "/my-company/handbook"
    When nina starts to visit "/acme/a/b/c/held"
    And gabe starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And 450 ms pass
    And olga sends raw bytes:
      """
      GET /tools/a/b/c/first HTTP/1.0
      {host and id}

      """
    And olga sends raw bytes:
      """
      PUT /my-company/my-project/-/issues/1 HTTP/1.0
      {host and id}
      {browser fields}
      Content-Type: text/plain
      Content-Length: 70000

      {70000 bytes}\
      """
    And olga sends raw bytes:
      """
      DELETE /my-company/my-project/-/issues/1 HTTP/1.0
      {host and id}

      """
    And olga sends raw bytes:
      """
      GET /acme/a/b/c/second HTTP/1.0
      {host and id}

      """
    And the held responses are released
    Then gabe gets the response of cell_us1 (Z-66)
    And the model of the documents permits every exchange (Z-66)

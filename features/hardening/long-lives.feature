@hardening @buffering @learning
Feature: Long lives of routers
  A router lives for weeks. Users leave, cells break off, entries go, and the next request is served
  as the first one was. Here one router meets all of that, and then requests that are large in every
  way: of a browser, for a page far below the top, on a kept connection, next to others. The model of
  the documents judges each exchange.

  Background:
    Given the namespace "/acme" on cell_us1
    And the namespace "/acme/a/inner" on cell_eu0
    And the namespace "/tools" on cell_eu1
    And the namespace "/weak" on cell_us1
    And 8 paths with different prefixes
    And cell_us1 holds its response to "/acme/a/b/c/held"
    And every cell responds to a pre-flight about "/tools/a/b/c/fourth" after 100 ms
    And cell_us1 responds to "/acme/a/b/c/big" with 300000 bytes
    And cell_us1 closes the connection instead of responding to "/weak/a/b/c/broken", once
    And cell_us1 closes the connection instead of responding to "/weak/a/b/c/again", once
    And cell_us1 closes the connection instead of responding to "/weak/a/b/c/asked", once
    And cell_us1 resets the connection within the body of its response to "/weak/a/b/c/torn", once
    # Somebody waits through the whole scenario, also where the router is slow.
    And the response timeout is 15000 ms
    And a cold EU router

  @req:Z-66 @req:Z-96 @req:Z-43
  Scenario Outline: everybody is served as before after users left and cells broke off
    Whatever comes after it is on a kept connection of nina, during a request of gabe.
    Given the cache holds about <entries> entries
    And cache entries live <time> ms
    And anna is signed in
    And nina visited "/acme/a/b/c/first"
    When nina starts to visit "/acme/a/b/c/held"
    And gabe starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And olga visits "/weak/a/b/c/torn"
    And visitor visits 8 paths with different cold prefixes
    And nina visits "/acme/a/b/c/big"
    And olga sends POST "/weak/a/b/c/again" with 300 random bytes
    And olga sends OPTIONS "/weak/a/b/c/asked"
    And 450 ms pass
    And several users share a connection, in turns:
      """
      nina sends PATCH /acme/a/inner?of=nina
      Content-Type: text/plain

      {70000 bytes}
      visitor sends GET /acme
      nina sends DELETE /acme/a/b%20c/Third?of=%2F
      anna sends GET /my-company/my-project/-/issues/1
      nina sends PUT /tools/a/b/c/fourth
      Content-Type: text/plain

      {400 bytes}
      visitor sends HEAD /tools/a/b/c/fourth
      nina sends OPTIONS /acme/a/inner/b/c
      visitor sends GET /acme/a/b/c/
      nina sends POST /acme/a/inner/
      Content-Type: text/plain

      {70000 bytes}
      """
    And the organization "my-organization" moves to cell_us1
    And nina sends PUT "/my-company/my-project/-/issues/1" with 70000 random bytes in chunks
    And 50 ms pass
    And nina sends PATCH "/my-company/my-project/-/issues/1" with 300 random bytes
    And 50 ms pass
    And nina sends DELETE "/acme/a/b/c/fifth"
    And 50 ms pass
    And nina sends POST "/acme/a/b/c/fifth" with 2000 random bytes
    And the held responses are released
    And nina sends PUT "/cold-place-1/a/b/c" with 70000 random bytes in chunks
    And nina sends PUT "/cold-place-1/a%20b/c" with 300 random bytes in chunks
    And nina sends POST "/tools/a/b/c/fifth" with 300 random bytes after 100 Continue
    And nina visits "/acme/a/b/c/big"
    And 100 ms pass
    And nina visits "/acme/a/b/c/big"
    And nina sends PUT "/acme/a/b/c/sixth" with 70000 random bytes
    And nina visits "/acme"
    And nina visits "/acme/a/inner/"
    Then the model of the documents permits every exchange (Z-66)
    And each request reached cells as its user sent it (Z-96)
    And each user on the connection got the response to their own request (Z-43)

    Examples:
      | case           | entries | time  |
      | few entries    | 4       | 60000 |
      | many entries   | 10000   | 60000 |
      | short lifetime | 10000   | 400   |

  @req:Z-66 @req:Z-71
  Scenario: entries stay and others go on when users leave who sent requests of every kind
    Given the namespace "/narrow" on cell_us1
    And cell_us1 responds to "/narrow/a/Page%2Fone" with:
      """
      200
      Content-Type: text/plain
      X-Gitlab-Cell-Cache: {path_prefix:/narrow/a/Page%2Fone}

      this page alone
      """
    And nina visited "/narrow/a/Page%2Fone"
    And nina visited "/tools/a/b/c/first"
    And gabe visited "/acme/a/b/c/first"
    And nina visited "/weak/a/b/c/broken"
    When gabe starts to visit "/acme/a/b/c/held"
    And nina starts to visit "/acme/a/b/c/held"
    And nina leaves
    And visitor visits "/tools/a/b/c"
    And nina starts to send:
      """
      PATCH /acme/a/b/c/held
      Content-Type: text/plain

      a title that is longer than sixteen bytes
      """
    And nina leaves
    And visitor visits "/tools/a/b/c"
    And olga starts to send:
      """
      HEAD /acme/a/b/c/held

      """
    And olga leaves
    And visitor visits "/tools/a/b/c"
    And olga starts to send:
      """
      DELETE /acme/a/b/c/held

      """
    And olga leaves
    And visitor visits "/tools/a/b/c"
    And olga starts to send:
      """
      POST /acme/a/b/c/held
      Content-Type: text/plain

      a title that is longer than sixteen bytes
      """
    And olga leaves
    And visitor visits "/tools/a/b/c"
    And olga starts to send:
      """
      PUT /acme/a/b/c/held
      Content-Type: text/plain

      a title that is longer than sixteen bytes
      """
    And olga leaves
    And visitor visits "/tools/a/b/c"
    And nina sends POST "/narrow/a/Page%2Fone" with 2000 random bytes
    And nina sends PUT "/narrow/a/Page%2Fone" with 2000 random bytes in chunks
    And nina sends DELETE "/narrow/a/Page%2Fone"
    And nina sends OPTIONS "/narrow/a/Page%2Fone"
    And the held responses are released
    Then gabe gets the response of cell_us1 (Z-66)
    And every request reached exactly one cell (Z-71)
    And the model of the documents permits every exchange (Z-71)

  @req:Z-66
  Scenario Outline: responses of every status arrive after users left and cells broke off
    Given cell_us1 responds to "/acme/a/b/c/page" with:
      """
      <status>
      Accept-Ranges: bytes
      Cache-Control: max-age=0, private
      Content-Disposition: inline; filename="a, b.zip"
      Content-Language: nb
      Etag: W/"page-1"
      Expires: Mon, 01 Jan 2035 00:00:00 GMT
      Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT
      Location: /acme/a/b/c/other
      Retry-After: 137
      Vary: Accept, Origin
      X-Gitlab-Last-Update: 5d41402a
      X-Next-Page: 2
      X-Request-Id: 01JA
      X-Runtime: 0.081
      X-Total: 3
      <body>
      """
    And nina visited "/acme/a/b/c/first"
    When nina starts to visit "/acme/a/b/c/held"
    And gabe starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And visitor visits "/acme/a/b/c/page"
    And several users share a connection, in turns:
      """
      nina sends GET /acme/a/b/c/page
      nina sends PATCH /acme/a/b/c/page
      Content-Type: text/plain

      {2000 bytes}
      nina sends DELETE /acme/a/b/c/page
      Content-Type: text/plain

      {300 bytes}
      nina sends HEAD /acme/a/b/c/page
      nina sends GET /acme/a/b/c/second
      nina sends PUT /acme/a/b/c/page
      Content-Type: text/plain

      {300 bytes}
      nina sends OPTIONS /acme/a/b/c/page
      visitor sends POST /acme/a/b/c/page
      Content-Type: text/plain

      {300 bytes}
      """
    And 50 ms pass
    And nina visits "/acme/a/b/c/page"
    And 50 ms pass
    And nina sends PUT "/acme/a/b/c/page" with 300 random bytes in chunks
    And the held responses are released
    Then gabe gets the response of cell_us1 (Z-66)
    And the model of the documents permits every exchange (Z-66)

    Examples:
      | status | body                     |
      | 201    | \n{"id": 1, "name": "x"} |
      | 204    |                          |
      | 206    | \na part of a page       |
      | 302    | \nsee there              |
      | 304    |                          |
      | 404    | \nno such page           |
      | 500    | \nsomething went wrong   |
      | 503    | \nlater                  |

  @req:Z-35 @req:Z-66
  Scenario: refusals say what went wrong now after users left and cells broke off
    Given the response timeout is 500 ms
    And cell_us1 never responds to "/acme/a/b/c/silent"
    And nina visited "/acme/a/b/c/first"
    When nina starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And nina visits "/acme/a/b/c/silent"
    And nina sends raw bytes, then half-closes:
      """
      POST /acme/a/b/c/half HTTP/1.1
      {host and id}
      Content-Length: 16

      half\
      """
    And cell_us1 goes down
    And nina visits "/acme/a/b/c/second"
    And nina sends PATCH "/acme/a/b/c/third" with 70000 random bytes
    And nina sends DELETE "/acme/a/b/c/fourth"
    And nina sends PUT "/acme/a/b/c/fifth" with 300 random bytes in chunks
    And nina sends OPTIONS "/acme/a/b/c/sixth"
    And cell_us1 comes back
    And nina visits "/acme/a/b/c/silent"
    And cell_us1 goes down
    And nina visits "/acme/a/b/c/seventh"
    Then the router refused the request (Z-35)
    And the model of the documents permits every exchange (Z-66)

  @req:Z-35
  Scenario Outline: a refusal by any method says what went wrong now
    The refusals before, of half a body and of one beyond the limit, have a status that none may
    have where a cell is down.
    Given the body buffer limit is 65536 bytes
    And nina visited "/acme/a/b/c/first"
    When nina starts to visit "/acme/a/b/c/held"
    And nina leaves
    And nina sends raw bytes, then half-closes:
      """
      POST /acme/a/b/c/half HTTP/1.1
      {host and id}
      Content-Length: 16

      half\
      """
    And nina sends POST "/tools/a/b/c/second" with 70000 random bytes
    And cell_us1 goes down
    And nina sends <method> "/acme/a/b/c/second" with <bytes> random bytes
    Then the router refused the request (Z-35)

    Examples:
      | method | bytes |
      | GET    | 0     |
      | DELETE | 0     |
      | PUT    | 2000  |
      | PATCH  | 60000 |

  @req:Z-13
  Scenario: a target has its own escapes after users left and cells broke off
    When gabe starts to visit "/acme/a/b/c/held"
    And nina starts to visit "/acme/a/b/c/held"
    And nina leaves
    And olga sends POST "/weak/a/b/c/broken" with 300 random bytes
    And nina sends the target "/acme/a/b/a%20page"
    And nina sends the target "/acme/a/b/a%2Fpage"
    And nina sends the target "/acme/a/b/p%C3%A5ge?a=%20"
    And the held responses are released
    Then the model of the documents permits every exchange (Z-13)

  @req:Z-96
  Scenario Outline: what a cell said about another request sends no <method> elsewhere
    Given the namespace "/abroad" on cell_us0
    When gabe starts to visit "/acme/a/b/c/held"
    And nina sends <method> "/abroad/page" with <bytes> random bytes
    And the held responses are released
    Then the model of the documents permits every exchange (Z-96)

    Examples:
      | method  | bytes |
      | POST    | 300   |
      | PUT     | 300   |
      | PATCH   | 300   |
      | DELETE  | 0     |
      | OPTIONS | 0     |
      | HEAD    | 0     |

  @req:Z-96
  Scenario: the last segment of the request before chooses no entry
    The segment is the name of a group next to the next page, whose cell no cold pick can be.
    Given the namespace "/acme/a/abroad" on cell_us0
    And nina visited "/acme/a/abroad/first"
    And nina visited "/acme/a/first"
    When gabe starts to visit "/acme/a/b/c/held"
    And several users share a connection, in turns:
      """
      nina sends GET /acme/a/b/abroad
      nina sends GET /acme/a/page
      """
    And the held responses are released
    Then the model of the documents permits every exchange (Z-96)

  @req:Z-35
  Scenario: a refusal says what went wrong now after an OPTIONS that ended at the router
    What the router says itself about the last hop is no refusal, on the same connection, for the
    same path, during a request that waits.
    When gabe starts to visit "/acme/a/b/c/held"
    And several users share a connection, in turns:
      """
      nina sends OPTIONS /weak/a/b/c/broken
      Max-Forwards: 0
      nina sends POST /weak/a/b/c/broken
      Content-Type: text/plain

      {300 bytes}
      """
    And the held responses are released
    Then the model of the documents permits every exchange (Z-35)

  @req:Z-16 @req:Z-66
  Scenario: a cell that restarts again and again loses no request after users left
    Given cell_us0 holds its response to "/gitlab-org/a/b/held"
    And nina visited "/acme/a/b/c/first"
    When nina starts to visit "/gitlab-org/a/b/held"
    And gabe starts to visit "/gitlab-org/a/b/held"
    And nina leaves
    And nina sends POST "/weak/a/b/c/broken" with 300 random bytes
    And nina visits "/acme/a/b/c/second"
    And cell_us1 restarts
    And 150 ms pass
    And nina sends PATCH "/acme/a/b/c/third" with 300 random bytes
    And cell_us1 restarts
    And 150 ms pass
    And olga sends PUT "/acme/a/b/c/fourth" with 70000 random bytes in chunks
    And cell_us1 restarts
    And 150 ms pass
    And visitor sends DELETE "/acme/a/b/c/fifth"
    And cell_us1 restarts
    And 150 ms pass
    And anna sends POST "/acme/a/b/c/sixth" with 300 random bytes
    And the held responses are released
    Then nina gets the response of cell_us1 (Z-16)
    And olga gets the response of cell_us1 (Z-16)
    And visitor gets the response of cell_us1 (Z-16)
    And anna gets the response of cell_us1 (Z-16)
    And gabe gets the response of cell_us0 (Z-66)
    And the model of the documents permits every exchange (Z-66)

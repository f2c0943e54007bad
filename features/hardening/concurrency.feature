@hardening
Feature: Concurrent events
  Cells hold their responses until the scenario releases them, so that concurrent events happen in
  a known order.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Cold cache

    @buffering @learning
    Scenario Outline: concurrent requests for one prefix get the owner's responses
      Given every cell holds its response to a pre-flight about "/acme/one"
      And every cell holds its response to "/acme/one"
      When anna starts to visit "/acme/one"
      And nina starts to visit "<second>" as well
      And olga starts to visit "<third>" as well
      And visitor visits "/gitlab-org/gitlab"
      And the held responses are released
      Then every user got a cell's response unchanged (Z-28)

      Examples:
        | paths           | second    | third       |
        | same path       | /acme/one | /acme/one   |
        | different paths | /acme/two | /acme/three |

    @learning
    Scenario: users who wait for one pre-flight each get the owner's response once
      Given every cell holds its response to a pre-flight about "/acme/one"
      When anna starts to visit "/acme/one"
      And nina starts to visit "/acme/one" as well
      And visitor visits "/gitlab-org/gitlab"
      And the held responses are released
      Then every user got a cell's response unchanged (Z-28)
      And every request reached exactly one cell (LN-10)

    @learning
    Scenario: users who wait for a failed pre-flight get a response or a refusal
      Given every cell holds its response to a pre-flight about "/acme/one"
      And every cell responds to a pre-flight about "/acme/one" with the status 500
      When anna starts to visit "/acme/one"
      And nina starts to visit "/acme/one" as well
      And visitor visits "/gitlab-org/gitlab"
      And the held responses are released
      And visitor visits "/acme/two"
      Then visitor gets the response of cell_us1 (Z-14)
      And anna gets a cell's response, or a refusal (Z-14)
      And nina gets a cell's response, or a refusal (Z-14)

    @buffering @learning @late
    Scenario: concurrent requests for paths of different cells reach their owners
      Given the namespace "/acme/two" on cell_us0
      And every cell holds its response to a pre-flight about "/acme/one"
      And every cell holds its response to a pre-flight about "/acme/two"
      And every cell holds its response to "/acme/one"
      And every cell holds its response to "/acme/two"
      When anna starts to visit "/acme/one"
      And nina starts to visit "/acme/two"
      And visitor visits "/gitlab-org/gitlab"
      And the held responses are released
      Then anna gets the response of cell_us1 (Z-28)
      And nina gets the response of cell_us0 (Z-28)

  # Both bodies are kept while the first cells hold their redirects.
  Rule: Resent requests

    @buffering
    @doc:buffering/differences @late
    Scenario: requests that are sent again at once keep their methods, targets and bodies
      Given every cell holds its response to "/acme/one"
      And every cell holds its response to "/acme/two"
      When anna starts to send:
        """
        POST /acme/one?of=anna
        Content-Type: text/plain

        from anna
        """
      And nina starts to send:
        """
        PUT /acme/two?of=nina
        Content-Type: text/plain

        from nina, and longer
        """
      And the held responses are released
      Then each request reached cells as its user sent it (BF-04)
      And anna gets the response of cell_us1 (BF-05)
      And nina gets the response of cell_us1 (BF-06)

    @buffering @doc:buffering/organization-moved
    Scenario: requests with one stale entry keep their targets when they are sent again at once
      Both go to the cell of an entry first, whose place has moved.
      Given visitor visited "/my-company/handbook"
      And every cell holds its response to "/my-company/handbook/one"
      And every cell holds its response to "/my-company/handbook/two"
      When the organization "my-organization" moves to cell_us1
      And anna starts to visit "/my-company/handbook/one?of=anna"
      And nina starts to visit "/my-company/handbook/two?of=nina"
      And the held responses are released
      Then each request reached cells as its user sent it (BF-06)
      And every user got a cell's response unchanged (BF-06)

  Rule: Cache changes

    @learning
    Scenario: an entry that expires during its first request is not used again
      The time to live starts with the learn response and ends before the page arrives.
      Given cache entries live 400 ms
      And cell_us1 holds its response to "/acme/one"
      When anna starts to visit "/acme/one"
      And nina visits "/acme/other"
      And the entries' time to live passes
      And the held responses are released
      And visitor visits "/acme/two"
      Then the visit went to cell_us1 as on a cold cache (Z-33)
      And every user got a cell's response unchanged (Z-33)

    @learning
    Scenario: a learn response as slow as the time to live is cached
      The time to live starts when the learn response arrives. That response took as long as an
      entry lives. Two seconds are left for the next visit.
      Given cache entries live 2000 ms
      And every cell holds its response to a pre-flight about "/acme/one"
      When anna starts to visit "/acme/one"
      And the entries' time to live passes
      And the held responses are released
      And visitor visits "/acme/two"
      Then the visit went straight to cell_us1 (Z-33)
      And every user got a cell's response unchanged (Z-33)

    @buffering @learning
    @doc:buffering/cons:item-5 @doc:routes-learning/cons:item-5
    Scenario: an entry evicted during its first request causes no wrong response
      Given 8 paths with different prefixes
      And the cache holds about 4 entries
      And every cell holds its response to a pre-flight about "/acme/one"
      And every cell holds its response to "/acme/one"
      When anna starts to visit "/acme/one"
      And visitor visits 8 paths with different cold prefixes
      And the held responses are released
      And anna visits "/acme/two"
      Then every user got a cell's response unchanged (CA-14)

  Rule: Organization moves

    @buffering @learning
    @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
    Scenario: an organization that moves while its owner responds is found again
      Given cache entries live 400 ms
      And anna is signed in
      And anna visited "/my-company/handbook"
      And cell_eu0 holds its response to "/my-company/my-project"
      When anna starts to visit "/my-company/my-project"
      And the organization "my-organization" moves to cell_us1
      And the held responses are released
      And the entries' time to live passes
      And anna visits "/my-company/my-other-project"
      Then anna gets the response of cell_us1 (RT-08)
      And anna sees the page "My Other Project" (RT-08)

    @buffering
    @doc:buffering/pros:item-2
    Scenario: a stale response after a newer one costs at most one more redirect
      The stale response arrives last and fills the cache. One more internal redirect corrects it.
      Given anna is signed in
      And anna visited "/my-company/handbook"
      And cell_eu0 holds its response to "/my-company/my-project"
      When anna starts to visit "/my-company/my-project"
      And the organization "my-organization" moves to cell_us1
      And anna visits "/my-company/handbook"
      And the held responses are released
      And anna visits "/my-company/my-other-project"
      Then anna gets the response of cell_us1 (RT-08)
      And the last request reached cells at most 3 times (Z-01)

  Rule: Router shutdown

    @buffering @learning
    Scenario: a shutdown with a request at its cell truncates and retries nothing
      Given visitor visited "/acme/before"
      And cell_us1 holds its response to "/acme/one"
      When anna starts to visit "/acme/one"
      And the EU router is told to stop
      And the held responses are released
      Then no user sees a truncated response as complete (Z-41)
      And the router retried no request (buffering Z-52, learning LN-25)

    @buffering @learning
    Scenario: a shutdown within a response does not pass it on as complete
      Given cell_us1 responds to "/acme/big" with 1048576 bytes, the second half when released
      When anna starts to visit "/acme/big"
      And the EU router is told to stop
      And the held responses are released
      Then no user sees a truncated response as complete (Z-41)
      And the router became ready and stopped when told to (Z-39)

    @learning
    Scenario: a shutdown with a pre-flight at a cell truncates and retries nothing
      Given every cell holds its response to a pre-flight about "/acme/one"
      When anna starts to visit "/acme/one"
      And the EU router is told to stop
      And the held responses are released
      Then no user sees a truncated response as complete (Z-41)
      And the router retried no request (LN-25)

    @buffering @learning
    Scenario: a shutdown with idle connections ends in time
      Given visitor visited "/acme/one"
      And visitor visited "/gitlab-org/gitlab"
      When anna visits "/acme/two"
      And the EU router is told to stop
      Then the router became ready and stopped when told to (Z-39)

  Rule: Cell outage

    @buffering @learning @req:Z-16
    Scenario: an outage during requests does not affect other cells
      Given visitor visited "/acme/before"
      And cell_us1 holds its response to "/acme/one"
      When anna starts to visit "/acme/one"
      And nina starts to visit "/acme/one" as well
      And visitor visits "/acme/more"
      And cell_us1 goes down
      And visitor visits "/gitlab-org/gitlab"
      Then no user sees a truncated response as complete (Z-41)
      And visitor gets the response of cell_us0 (Z-16)

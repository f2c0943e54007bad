@hardening
Feature: Response timeouts
  A cell may take as long as the response timeout in the topology, and not much longer; then the
  user gets a refusal. A late response reaches nobody.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Rule: Expired timeouts

    Scenario Outline: a request to an owner that never responds times out
      Whether it is sent again is the subject of the features no-retries and get-retries.
      Given the response timeout is 500 ms
      And cell_us1 never responds to "/acme/things"
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then the router refused the request (Z-35)
      And the response to visitor took at most 5000 ms (Z-16)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 4096  |

    Scenario: a request to an owner that accepts connections but never reads times out
      Given the response timeout is 500 ms
      And cell_us1 accepts connections and reads nothing
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And the response to visitor took at most 5000 ms (Z-16)

    Scenario Outline: a request to an owner that does not answer attempts to connect is refused
      As behind a firewall that drops packets.
      Given the connect timeout is 3000 ms
      And cell_us1 does not answer attempts to connect
      When visitor sends <method> "/acme/a/b/things" with <bytes> random bytes
      Then the router refused the request (Z-35)
      And the response to visitor took at most 5500 ms (Z-16)

      Examples:
        | method  | bytes |
        | GET     | 0     |
        | OPTIONS | 0     |
        | PUT     | 2000  |

    Scenario: a request on a kept connection waits no longer for a connection to its owner
      Given the connect timeout is 3000 ms
      And cell_us0 does not answer attempts to connect
      When several users share a connection, in turns:
        """
        nina sends GET /acme/a/b/first
        nina sends POST /gitlab-org/a/b/c
        Content-Type: text/plain

        {300 bytes}
        """
      Then the router refused the request (Z-35)
      And the response to nina took at most 5500 ms (Z-16)

    Scenario: both limits hold for large requests after a user has left
      Limits are counted for each request: large ones, on kept connections, next to others, after a
      user has left. Twice a limit is longer than the bound. A router may try the cell that does not
      answer twice: for a pre-flight, and as the owner.
      Given the response timeout is 3000 ms
      And the connect timeout is 3000 ms
      And cell_us1 never responds to "/acme/a/b/c/silent"
      And cell_us1 responds to "/acme/a/b/c/slow" after 2000 ms
      And cell_us0 does not answer attempts to connect
      And nina visited "/acme/a/b/c/first"
      And gabe visited "/acme/a/b/c/first"
      When nina starts to visit "/acme/a/b/c/silent"
      And nina leaves
      And olga starts to visit "/acme/a/b/c/slow" as well
      And gabe starts to visit "/gitlab-org/a/b/c/d" as well
      And nina sends POST "/acme/a/b/c/silent" with 70000 random bytes
      Then the router refused the request (Z-35)
      And the response to nina took at most 5500 ms (Z-16)
      And the response to gabe took at most 8500 ms (Z-16)
      And olga gets the response of cell_us1 (Z-24)

    Scenario: a request without a response does not block other users
      Given visitor visited "/acme/before"
      And cell_us1 never responds to "/acme/things"
      When anna starts to visit "/acme/things"
      And nina starts to visit "/acme/things" as well
      And visitor visits "/acme/more"
      And visitor visits "/gitlab-org/gitlab"
      And cell_us1 goes down
      Then visitor gets the response of cell_us0 (Z-16)
      And the response to visitor took at most 4000 ms (Z-16)

    @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
    Scenario: a late response reaches no later request
      The router must not reuse a connection that still owes a response.
      Given the response timeout is 1000 ms
      And cell_us1 responds to "/acme/late" after 1400 ms
      When visitor visits "/acme/late"
      And visitor visits "/acme/things"
      And 500 ms pass
      And visitor visits "/acme/more"
      And anna visits "/acme/others"
      Then anna gets the response of cell_us1 (RT-08)
      And visitor gets the response of cell_us1 (RT-08)

  Rule: Slow responses

    @buffering @learning
    Scenario: a long poll that ends with 204 gets its response
      The poll takes two thirds of the timeout, which leaves room for a slow machine.
      Given the response timeout is 3000 ms
      And cell_us1 responds to "/acme/jobs/request" with the status 204 and "X-Gitlab-Last-Update: 5d41402a"
      And cell_us1 responds to "/acme/jobs/request" after 2000 ms
      When visitor sends POST "/acme/jobs/request" with 32 random bytes
      Then visitor gets the response of cell_us1 (Z-24)
      And visitor gets status 204 (Z-24)

    @buffering @learning
    Scenario: response headers in small pieces arrive complete
      Given cell_us1 sends the head of its response to "/acme/things" in pieces, 60 ms apart
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-24)

    @buffering @learning @late
    Scenario: a response body in small pieces arrives complete
      Given cell_us1 sends the body of its response to "/acme/things" in pieces, 60 ms apart
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-25)

    @buffering
    Scenario: an internal redirect in small pieces is followed
      Given every EU cell sends the head of its response to "/acme/things" in pieces, 60 ms apart
      When visitor sends POST "/acme/things" with 4096 random bytes
      Then visitor gets the response of cell_us1 (Z-24)
      And the cell received the complete body (Z-24)

  # The pieces come much closer to each other than the timeout, and all of them take longer.
  @buffering @learning
  Rule: Long transfers

    Scenario Outline: a download that takes longer than the timeout arrives complete
      Given the response timeout is 1000 ms
      And visitor visited "<known>"
      And cell_us1 sends the body of its response to "/acme/big" in pieces, 450 ms apart
      When visitor visits "/acme/big"
      Then visitor gets the response of cell_us1 (Z-97)

      Examples:
        | cache | known        |
        | cold  | /            |
        | warm  | /acme/before |

    Scenario Outline: an upload that takes longer than the timeout arrives complete
      Given the response timeout is 1000 ms
      When visitor sends raw bytes:
        """
        POST /acme/up HTTP/1.1
        {host and id}
        <framing>
        Connection: close

        <body>\
        """
      Then visitor gets the response of cell_us1 (Z-97)
      And the cell received the complete body (Z-97)

      Examples:
        | case    | framing                    | body                                                                                                |
        | length  | Content-Length: 16         | {300 ms}first{300 ms}again{300 ms}third{300 ms}!                                                    |
        | chunked | Transfer-Encoding: chunked | {300 ms}5\\r\\nfirst\\r\\n{300 ms}5\\r\\nagain\\r\\n{300 ms}5\\r\\nthird\\r\\n{300 ms}0\\r\\n\\r\\n |

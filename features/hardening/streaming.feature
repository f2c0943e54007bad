@hardening
Feature: Streaming and backpressure
  A response reaches the user while the cell still writes it. A slow reader slows down the writer
  at the other end, so that the router buffers little. The bounds leave room for the socket
  buffers of the systems.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Rule: Streamed responses

    Scenario Outline: the first part of a response arrives before the rest is sent
      Given visitor visited "<known>"
      And cell_us1 responds to "/acme/page" with <response> when released
      When visitor starts to visit "/acme/page"
      And visitor has received the first bytes
      And the held responses are released
      Then the first bytes reached visitor before the cell sent the rest (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

      Examples:
        | case                   | known        | response                       |
        | 2 MB on a cold cache   | /            | 2000000 bytes, the second half |
        | 2 MB on a warm cache   | /acme/before | 2000000 bytes, the second half |
        | 64 bytes               | /            | 64 bytes, the second half      |
        | events on a cold cache | /            | two events, the second         |
        | events on a warm cache | /acme/before | two events, the second         |

    Scenario: a streamed response does not block another user
      Given cell_us1 responds to "/acme/events" with two events, the second when released
      When anna starts to visit "/acme/events"
      And anna has received the first bytes
      And nina visits "/acme/things"
      And the held responses are released
      Then every user got a cell's response unchanged (Z-25)
      And the first bytes reached anna before the cell sent the rest (Z-25)

    Scenario: a partial response reaches the user before its cell goes down
      Given cell_us1 responds to "/acme/big" with 2000000 bytes, the second half when released
      When visitor starts to visit "/acme/big"
      And visitor has received the first bytes
      And cell_us1 goes down
      Then the first bytes reached visitor before the cell sent the rest (Z-59)

  # The bound leaves room for socket buffers: on recent kernels up to 32 MiB on the receiving
  # side, which is the router's, and 4 MiB on the sending side.
  Rule: Slow readers

    @buffering @learning
    Scenario: a user who stops reading slows the cell down
      Given visitor visited "/acme/before"
      And cell_us1 responds to "/acme/big" with 67108864 bytes
      When visitor visits "/acme/big" and stops reading until the transfer stalls
      Then the cells had sent at most 50331648 bytes while visitor read nothing (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

    @buffering @learning
    Scenario: a slow response does not block other users
      Given cell_us1 responds to "/acme/big" with 16000000 bytes, the second half when released
      When anna starts to visit "/acme/big"
      And nina visits "/acme/things"
      And visitor visits "/gitlab-org/gitlab"
      And the held responses are released
      Then every user got a cell's response unchanged (Z-25)

    @learning
    Scenario: a cell that stops reading slows the user down
      Given visitor visited "/acme/before"
      And cell_us1 reads nothing of the body of "/acme/up" until released
      When visitor uploads 67108864 bytes to "/acme/up" until the transfer stalls
      Then the router took at most 50331648 bytes while the cell read nothing (Z-25)
      And the cell received the complete body (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

    @buffering
    Scenario: a cell that stops reading does not make the router buffer without bound
      The router may refuse a body that it would have to buffer. It does not buffer it.
      Given the body buffer limit is 1048576 bytes
      And cell_us1 reads nothing of the body of "/acme/up" until released
      When visitor uploads 67108864 bytes to "/acme/up" until the transfer stalls
      Then the router took at most 50331648 bytes while the cell read nothing (Z-25)

    @buffering @learning
    Scenario: a short body reaches a cell that reads late
      Given cell_us1 reads nothing of the body of "/acme/up" until released
      When visitor uploads 1000000 bytes to "/acme/up" until the transfer stalls
      Then the cell received the complete body (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

  @buffering @learning
  Rule: Large bodies

    Scenario: an upload of 8 MB reaches the cell complete
      Given visitor visited "/acme/before"
      When visitor sends PUT "/acme/up" with 8000000 random bytes
      Then the cell received the complete body (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

    Scenario: a download of 16 MB reaches the user complete
      Given cell_us1 responds to "/acme/big" with 16000000 bytes in chunks
      When visitor visits "/acme/big"
      Then visitor gets the response of cell_us1 (Z-25)

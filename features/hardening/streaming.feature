@hardening
Feature: Bytes are passed on as they come
  A response reaches its user while its cell still writes it. Who does not read slows down the one who writes, at the other
  end too, so that little is kept in between. The bounds leave room for what the systems' sockets hold.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Rule: As they come

    @req:Z-25
    Scenario Outline: the first half of a response
      Given visitor visited "<known>"
      And cell_us1 responds to "/acme/big" with <bytes> bytes, the second half when released
      When visitor begins to visit "/acme/big"
      And visitor has got the first bytes
      And the held responses are released
      Then the first bytes reached visitor before the cell sent the rest (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

      Examples:
        | case        | known        | bytes   |
        | much, cold  | /            | 2000000 |
        | much, warm  | /acme/before | 2000000 |
        | very little | /            | 64      |

    @req:Z-25
    Scenario Outline: an event
      Given visitor visited "<known>"
      And cell_us1 responds to "/acme/events" with two events, the second when released
      When visitor begins to visit "/acme/events"
      And visitor has got the first bytes
      And the held responses are released
      Then the first bytes reached visitor before the cell sent the rest (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

      Examples:
        | case | known        |
        | cold | /            |
        | warm | /acme/before |

    @req:Z-25
    Scenario: another user is served meanwhile
      Given cell_us1 responds to "/acme/events" with two events, the second when released
      When anna begins to visit "/acme/events"
      And anna has got the first bytes
      And nina visits "/acme/things"
      And the held responses are released
      Then every response reached its user as a cell gave it (Z-25)
      And the first bytes reached anna before the cell sent the rest (Z-25)

    @req:Z-59
    Scenario: a response in progress reaches the user before its cell goes down
      Given cell_us1 responds to "/acme/big" with 2000000 bytes, the second half when released
      When visitor begins to visit "/acme/big"
      And visitor has got the first bytes
      And cell_us1 goes down
      Then the first bytes of the response reached visitor (Z-59)

  # The bound leaves room for what systems keep of a connection: on recent kernels up to 32 MiB on the receiving
  # side, which is the router's, and 4 MiB on the sending one.
  Rule: A reader that stands still

    @buffering @learning @req:Z-25
    Scenario: a user
      Given visitor visited "/acme/before"
      And cell_us1 responds to "/acme/big" with 67108864 bytes
      When visitor visits "/acme/big" and reads nothing until the flow stands still
      Then the cells had sent at most 50331648 bytes while visitor read nothing (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

    @buffering @learning @req:Z-25
    Scenario: others are served meanwhile
      Given cell_us1 responds to "/acme/big" with 16000000 bytes, the second half when released
      When anna begins to visit "/acme/big"
      And nina visits "/acme/things"
      And visitor visits "/gitlab-org/gitlab"
      And the held responses are released
      Then every response reached its user as a cell gave it (Z-25)

    @learning @req:Z-25
    Scenario: a cell
      Given visitor visited "/acme/before"
      And cell_us1 reads nothing of the body of "/acme/up" until released
      When visitor uploads 67108864 bytes to "/acme/up" until the flow stands still
      Then the router took at most 50331648 bytes while the cell read nothing (Z-25)
      And the cell received the body whole (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

    # The router may refuse a body that it would have to keep; it does not keep it.
    @buffering @req:Z-25
    Scenario: a cell whose request may have to be sent again
      Given at most 1048576 bytes are buffered
      And cell_us1 reads nothing of the body of "/acme/up" until released
      When visitor uploads 67108864 bytes to "/acme/up" until the flow stands still
      Then the router took at most 50331648 bytes while the cell read nothing (Z-25)

    @buffering @learning @req:Z-25
    Scenario: a cell that has a short body to read
      Given cell_us1 reads nothing of the body of "/acme/up" until released
      When visitor uploads 1000000 bytes to "/acme/up" until the flow stands still
      Then the cell received the body whole (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

  @buffering @learning
  Rule: Large ones

    @req:Z-25
    Scenario: up
      Given visitor visited "/acme/before"
      When visitor sends PUT "/acme/up" with 8000000 bytes
      Then the cell received the body whole (Z-25)
      And visitor gets the response of cell_us1 (Z-25)

    @req:Z-25
    Scenario: down
      Given cell_us1 responds to "/acme/big" with 16000000 bytes in chunks
      When visitor visits "/acme/big"
      Then visitor gets the response of cell_us1 (Z-25)

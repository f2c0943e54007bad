@hardening @buffering @learning
Feature: Long header sections
  The router passes on a header section of 64 KiB completely, or refuses it with a matching
  status. It never truncates. A header section of 4 KiB is common: some users have that many
  cookies.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: long or many request fields are passed on completely or refused
    A router that truncates loses the last field first. Routers add their own fields, and cells take
    at most a hundred.
    Given visitor visited "/acme/before"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      Connection: close
      <fields>
      X-Last: end

      """
    Then the exchange was (Z-47)
      """
      alt the router refuses it
        user->>router_eu: GET /acme/things
        router_eu-->>user: 400|414|431
      else the router passes it on completely
        user->>router_eu: GET /acme/things
        router_eu->>cell_us1: GET /acme/things X-Last=end
        cell_us1-->>user: 200
      end
      """
    And every request that reached a cell carried the user's fields (Z-47)

    Examples:
      | case                  | fields                                                                             |
      | 64 KiB in one field   | X-Long: {65536 bytes}                                                              |
      | 64 KiB in four fields | A: {16384 bytes}\\r\\nB: {16384 bytes}\\r\\nC: {16384 bytes}\\r\\nD: {16384 bytes} |
      | 64 KiB in the cookies | Cookie: a={65536 bytes}                                                            |
      | 64 KiB in many fields | {64 fields of 1000 bytes}                                                          |
      | ninety-one fields     | {87 fields}                                                                        |
      | ninety-six fields     | {92 fields}                                                                        |
      | ninety-seven fields   | {93 fields}                                                                        |
      | ninety-eight fields   | {94 fields}                                                                        |
      | ninety-nine fields    | {95 fields}                                                                        |
      | a hundred fields      | {96 fields}                                                                        |
      | a thousand fields     | {1000 fields}                                                                      |

  Scenario Outline: 64 KiB of request headers on a cold cache are passed on or refused
    When visitor sends raw bytes:
      """
      GET /acme/things<query> HTTP/1.1
      {host and id}
      Connection: close
      X-Long: <value>

      """
    Then visitor gets status 200, 400, 414, 431 (Z-47)
    And every request that reached a cell carried the user's fields (Z-47)

    Examples:
      | case         | query            | value         |
      | in one field |                  | {65536 bytes} |
      | in the query | ?a={65536 bytes} | short         |

  Scenario: 1 MB of request headers do not affect the next request
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      X-Long: {1000000 bytes}

      """
    And visitor visits "/acme/more"
    Then visitor gets the response of cell_us1 (Z-47)

  @late
  Scenario: 4 KiB of cookies are passed on
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      Connection: close
      Cookie: a={4000 bytes}

      """
    Then visitor gets the response of cell_us1 (Z-47)

@hardening @buffering @learning
Feature: Long header sections
  The router passes on a header section of 64 KiB completely, or refuses it with a matching
  status. It never truncates. A header section of 4 KiB is common: some users have that many
  cookies.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  # A router that truncates loses the last field first.
  @req:Z-47
  Scenario Outline: 64 KiB of request headers are passed on completely or refused
    Given visitor visited "/acme/before"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
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
      | case           | fields                                                                             |
      | in one field   | X-Long: {65536 bytes}                                                              |
      | in four fields | A: {16384 bytes}\\r\\nB: {16384 bytes}\\r\\nC: {16384 bytes}\\r\\nD: {16384 bytes} |
      | in the cookies | Cookie: a={65536 bytes}                                                            |

  # Routers add their own fields, and cells take at most a hundred.
  @req:Z-47
  Scenario Outline: all request fields that a router accepts arrive
    Given visitor visited "/acme/before"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close
      {<others> fields}
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
      | fields       | others |
      | ninety-one   | 87     |
      | ninety-six   | 92     |
      | ninety-seven | 93     |
      | ninety-eight | 94     |
      | ninety-nine  | 95     |
      | a hundred    | 96     |

  @req:Z-47
  Scenario: 64 KiB in many request fields are passed on completely or refused
    Given visitor visited "/acme/before"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close
      X-Many-00: {1000 bytes}
      X-Many-01: {1000 bytes}
      X-Many-02: {1000 bytes}
      X-Many-03: {1000 bytes}
      X-Many-04: {1000 bytes}
      X-Many-05: {1000 bytes}
      X-Many-06: {1000 bytes}
      X-Many-07: {1000 bytes}
      X-Many-08: {1000 bytes}
      X-Many-09: {1000 bytes}
      X-Many-10: {1000 bytes}
      X-Many-11: {1000 bytes}
      X-Many-12: {1000 bytes}
      X-Many-13: {1000 bytes}
      X-Many-14: {1000 bytes}
      X-Many-15: {1000 bytes}
      X-Many-16: {1000 bytes}
      X-Many-17: {1000 bytes}
      X-Many-18: {1000 bytes}
      X-Many-19: {1000 bytes}
      X-Many-20: {1000 bytes}
      X-Many-21: {1000 bytes}
      X-Many-22: {1000 bytes}
      X-Many-23: {1000 bytes}
      X-Many-24: {1000 bytes}
      X-Many-25: {1000 bytes}
      X-Many-26: {1000 bytes}
      X-Many-27: {1000 bytes}
      X-Many-28: {1000 bytes}
      X-Many-29: {1000 bytes}
      X-Many-30: {1000 bytes}
      X-Many-31: {1000 bytes}
      X-Many-32: {1000 bytes}
      X-Many-33: {1000 bytes}
      X-Many-34: {1000 bytes}
      X-Many-35: {1000 bytes}
      X-Many-36: {1000 bytes}
      X-Many-37: {1000 bytes}
      X-Many-38: {1000 bytes}
      X-Many-39: {1000 bytes}
      X-Many-40: {1000 bytes}
      X-Many-41: {1000 bytes}
      X-Many-42: {1000 bytes}
      X-Many-43: {1000 bytes}
      X-Many-44: {1000 bytes}
      X-Many-45: {1000 bytes}
      X-Many-46: {1000 bytes}
      X-Many-47: {1000 bytes}
      X-Many-48: {1000 bytes}
      X-Many-49: {1000 bytes}
      X-Many-50: {1000 bytes}
      X-Many-51: {1000 bytes}
      X-Many-52: {1000 bytes}
      X-Many-53: {1000 bytes}
      X-Many-54: {1000 bytes}
      X-Many-55: {1000 bytes}
      X-Many-56: {1000 bytes}
      X-Many-57: {1000 bytes}
      X-Many-58: {1000 bytes}
      X-Many-59: {1000 bytes}
      X-Many-60: {1000 bytes}
      X-Many-61: {1000 bytes}
      X-Many-62: {1000 bytes}
      X-Many-63: {1000 bytes}
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

  @req:Z-47
  Scenario Outline: 64 KiB of request headers on a cold cache are passed on or refused
    When visitor sends raw bytes:
      """
      GET /acme/things<query> HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close
      X-Long: <value>

      """
    Then visitor gets one of the statuses "200, 400, 414, 431" (Z-47)
    And every request that reached a cell carried the user's fields (Z-47)

    Examples:
      | case         | query            | value         |
      | in one field |                  | {65536 bytes} |
      | in the query | ?a={65536 bytes} | short         |

  @req:Z-47
  Scenario: 1 MB of request headers do not affect the next request
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      X-Long: {1000000 bytes}

      """
    And visitor visits "/acme/more"
    Then visitor gets the response of cell_us1 (Z-47)

  @req:Z-47
  Scenario: 4 KiB of cookies are passed on
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      Host: {host}
      X-Conformance-Id: {id}
      Connection: close
      Cookie: a={4000 bytes}

      """
    Then visitor gets the response of cell_us1 (Z-47)

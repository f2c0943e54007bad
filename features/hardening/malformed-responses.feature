@hardening
Feature: Responses that are no HTTP
  What no parser can read reaches no user. Where the rules leave a choice (a folded line, an equal length said twice), the
  user gets the response or a refusal.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: What cannot be read is refused

    @buffering @learning @req:Z-48
    Scenario Outline: a status line that is none
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        <line>
        Content-Type: text/plain
        Content-Length: 5

        hello\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-48)
      And the refusal names no cell (Z-48)

      Examples:
        | fault            | line           |
        | no HTTP          | hello          |
        | another protocol | ICY 200 OK     |
        | two digits       | HTTP/1.1 20 OK |

    @buffering @learning @req:Z-48
    Scenario Outline: a field line that is none
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        <line>
        Content-Length: 5

        hello\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-48)

      Examples:
        | fault    | line    |
        | no colon | X-Field |
        | no name  | : value |

    # RFC 9110 5.5 lets a proxy put a blank in its place.
    @buffering @learning @req:Z-48
    Scenario: a zero byte in a value
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        X-Field: a\0b
        Content-Length: 5

        hello\
        """
      When visitor visits "/acme/things"
      Then visitor gets one of the statuses "200, 502, 503, 504, 508" (Z-48)

    @buffering @learning @req:Z-48
    Scenario Outline: a head without an end
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        <head>\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-48)

      Examples:
        | what there is  | head                                         |
        | half a line    | HTTP/1.1 2                                   |
        | a field        | HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n |
        | an interim one | HTTP/1.1 103 Early Hints\\r\\n\\r\\n         |

    @buffering @learning @req:Z-48
    Scenario: another protocol that nobody asked for
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 101 Switching Protocols
        Connection: Upgrade
        Upgrade: websocket

        hello\
        """
      When visitor visits "/acme/things"
      Then visitor is not given a part of a response as the whole (Z-48)

    @buffering @learning @req:Z-48
    Scenario: a long head is passed on whole or refused
      Given cell_us1 responds to "/acme/things" with a field of 100000 bytes
      When visitor visits "/acme/things"
      Then visitor gets a cell's response, or a refusal (Z-48)

    @buffering @learning @req:Z-48
    Scenario: a head longer than any
      Given cell_us1 responds to "/acme/things" with a field of 1048576 bytes
      When visitor visits "/acme/things"
      Then visitor is not given a part of a response as the whole (Z-48)

    @buffering @req:Z-48
    Scenario Outline: the cold pick is no better
      Given every cell responds to "/acme/things" with the bytes:
        """
        <bytes>\
        """
      When visitor sends POST "/acme/things" with 1024 random bytes
      Then the router refused the request (Z-48)
      And the last request reached exactly one cell (Z-48)

      Examples:
        | fault           | bytes                                                                                        |
        | no HTTP         | 302 Found\\r\\n\\r\\n                                                                        |
        | half a redirect | HTTP/1.1 302 Found\\r\\nX-Gitlab-Cell-Redirect: {cell:Cell US1}\\r\\nContent-Length: 0\\r\\n |

    @buffering @learning @req:Z-48
    Scenario: the next request is served
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        hello
        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-48)

  Rule: Contradictions about the length

    @buffering @learning @req:Z-49
    Scenario Outline: lengths that contradict each other, or are none
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        <lengths>

        hello you\
        """
      When visitor visits "/acme/things"
      Then the router refused the request (Z-49)

      Examples:
        | fault     | lengths                                  |
        | two lines | Content-Length: 5\\r\\nContent-Length: 9 |
        | a list    | Content-Length: 5, 9                     |
        | negative  | Content-Length: -5                       |
        | too large | Content-Length: 99999999999999999999     |

    @buffering @learning @req:Z-49
    Scenario Outline: an equal length said twice
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        <lengths>

        hello\
        """
      When visitor visits "/acme/things"
      Then visitor gets one of the statuses "200, 502, 503, 504, 508" (Z-49)

      Examples:
        | form      | lengths                                  |
        | two lines | Content-Length: 5\\r\\nContent-Length: 5 |

    # The coding counts then (RFC 9112 6.3); an intermediary may also see an attack in it.
    @buffering @learning @req:Z-49
    Scenario: a length and chunks
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 3
        Transfer-Encoding: chunked

        5
        hello
        0

        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      Then visitor gets the response of cell_us1 (Z-49)

    @buffering @learning @req:Z-49
    Scenario: more than the length says
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5

        helloHTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5

        wrong\
        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/more"
      And anna visits "/acme/others"
      Then anna gets the response of cell_us1 (Z-49)
      And visitor gets the response of cell_us1 (Z-49)

    @buffering @learning @req:Z-41
    Scenario Outline: chunks that are none
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Transfer-Encoding: chunked

        <chunks>\
        """
      When visitor visits "/acme/things"
      Then visitor is not given a part of a response as the whole (Z-41)

      Examples:
        | fault            | chunks                            |
        | no number        | xyz\\r\\nhello\\r\\n0\\r\\n\\r\\n |
        | longer than said | 3\\r\\nhello\\r\\n0\\r\\n\\r\\n   |

  Rule: Folded lines

    @buffering @learning @req:Z-50
    Scenario: a folded field line of a response
      Given cell_us1 responds to "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        X-Folded: one
          two
        Content-Length: 5

        hello\
        """
      When visitor visits "/acme/things"
      Then visitor gets one of the statuses "200, 502, 503, 504, 508" (Z-50)

@hardening
Feature: Fields of one connection end with it
  What is about a connection is for the other end of it and for nobody behind it; so is every field that Connection names.
  In no way can a user or a cell get at other fields by naming them.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: From the user

    @buffering @learning @req:Z-22
    Scenario Outline: to no cell
      Given visitor visited "<known>"
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close, <listed>
        <field>: <value>

        """
      Then no cell received "<value>" in the field "<field>" (Z-22)
      And visitor gets what cell_us1 answered (Z-22)

      Examples:
        | case                   | known        | listed   | field            | value           |
        | a listed one, cold     | /            | X-Listed | X-Listed         | secret          |
        | a listed one, warm     | /acme/before | X-Listed | X-Listed         | secret          |
        | Keep-Alive, not listed | /            | X-Other  | Keep-Alive       | timeout=77      |
        | Proxy-Connection       | /            | X-Other  | Proxy-Connection | keep-alive, odd |
        | TE, not listed         | /            | X-Other  | TE               | x-odd;q=0.5     |

    @buffering @learning @req:Z-22
    Scenario: Connection itself
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: X-Listed
        Connection: close
        X-Listed: secret

        """
      Then no cell received "X-Listed" in the field "Connection" (Z-22)
      And no cell received the field "X-Listed" (Z-22)
      And visitor gets what cell_us1 answered (Z-22)

    # Without them no cell could answer.
    @buffering @learning @req:Z-22
    Scenario Outline: what a user cannot take away
      When visitor sends the bytes:
        """
        POST /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Content-Length: 5
        Connection: close, <listed>

        hello\
        """
      Then visitor gets one of the statuses "200, 400" (Z-22)

      Examples:
        | listed         |
        | Content-Length |

  Rule: From the cell

    @buffering @learning @req:Z-22
    Scenario Outline: not to the user
      Given cell_us1 answers "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5
        Connection: close, <listed>
        <field>: <value>

        hello\
        """
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close

        """
      Then the answer to visitor carries no field "<field>" (Z-22)
      And visitor gets status 200 (Z-22)
      And visitor sees the text "hello" (Z-22)

      Examples:
        | case             | listed              | field               | value                |
        | a listed one     | X-Listed            | X-Listed            | secret               |
        | the cache header | X-Gitlab-Cell-Cache | X-Gitlab-Cell-Cache | {path_prefix:/acme/} |
        | Proxy-Connection | X-Other             | Proxy-Connection    | keep-alive           |

    # The router's own Keep-Alive would be another.
    @buffering @learning @req:Z-22
    Scenario: Keep-Alive
      Given cell_us1 answers "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5
        Connection: close
        Keep-Alive: timeout=77

        hello\
        """
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close

        """
      Then the answer to visitor carries no field "Keep-Alive" (Z-22)
      And visitor gets status 200 (Z-22)

    # The header is for the router, listed or not; for the user it is in no case.
    @buffering @req:Z-22
    Scenario: a redirect header that is listed
      Given cell_eu0 answers "/acme/things" with the bytes:
        """
        HTTP/1.1 302 Found
        Connection: close, X-Gitlab-Cell-Redirect
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        Content-Length: 0

        """
      And cell_eu1 answers "/acme/things" with the bytes:
        """
        HTTP/1.1 302 Found
        Connection: close, X-Gitlab-Cell-Redirect
        X-Gitlab-Cell-Redirect: {cell:Cell US1}
        Content-Length: 0

        """
      When visitor visits "/acme/things"
      Then the answer to visitor carries no field "X-Gitlab-Cell-Redirect" (Z-22)

    @buffering @learning @req:Z-22
    Scenario: a cell's wish to close is not the user's
      Given cell_us1 answers "/acme/things" with the bytes:
        """
        HTTP/1.1 200 OK
        Content-Type: text/plain
        Content-Length: 5
        Connection: close

        hello\
        """
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}

        GET /acme/more HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close

        """
      Then the answers came in the order of the requests (Z-22)

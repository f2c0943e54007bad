@hardening
Feature: Truncated responses
  A router never presents a truncated response as complete. The user gets a refusal or sees that
  the end is missing.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering @learning
  Scenario Outline: a truncated response on a warm cache is not passed on as complete
    Given visitor visited "/acme/before"
    And cell_us1 <breaks> "/acme/things"
    When visitor visits "/acme/things"
    Then no user sees a truncated response as complete (Z-41)

    Examples:
      | where                  | breaks                                                           |
      | reset within the body  | resets the connection within the body of its response to         |
      | closed within the body | closes the connection within the body of its response to         |
      | closed within a chunk  | closes the connection within the chunked body of its response to |

  @buffering @learning
  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario Outline: a truncated response does not affect the next request
    Given cell_us1 <breaks> "/acme/things"
    When visitor visits "/acme/things"
    And visitor visits "/acme/more"
    Then visitor gets the response of cell_us1 (RT-08)

    Examples:
      | where                  | breaks                                                           |
      | closed within the body | closes the connection within the body of its response to         |
      | closed within a chunk  | closes the connection within the chunked body of its response to |

  @buffering @learning
  Scenario Outline: a response that lacks only its end is not passed on as complete
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Content-Type: text/plain
      <framing>

      <body>\
      """
    When visitor visits "/acme/things"
    Then no user sees a truncated response as complete (Z-41)

    Examples:
      | case               | framing                    | body               |
      | missing last byte  | Content-Length: 6          | hello              |
      | missing last chunk | Transfer-Encoding: chunked | 5\\r\\nhello\\r\\n |
      | missing body       | Content-Length: 6          |                    |

  @buffering @learning
  Scenario Outline: a response whose length needs more than <bits> bits is not cut
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Content-Type: text/plain
      Content-Length: <length>

      hello\
      """
    When visitor visits "/acme/things"
    Then no user sees a truncated response as complete (Z-41)

    Examples:
      | bits | length     |
      | 31   | 2147483653 |
      | 32   | 4294967301 |

  @buffering
  Scenario: a truncated internal redirect is followed or refused
    The headers of an internal redirect are enough to follow it.
    Given every EU cell responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 302 Found
      Content-Length: 100
      X-Gitlab-Cell-Redirect: {cell:Cell US1}

      moved
      """
    When visitor sends POST "/acme/things" with 1024 random bytes
    Then visitor gets a cell's response, or a refusal (Z-41)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (BF-03)

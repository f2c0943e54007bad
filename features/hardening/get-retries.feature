@hardening
Feature: A GET with a broken connection is not retried
  The buffering proposal lets a request be processed more than once, and HTTP lets a proxy retry a
  GET, so under buffering a router SHOULD not retry it. Under learning a request is sent once,
  whatever its method.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  # Only the first response fails. A retry would succeed, and the journal would show it.
  @learning @req:Z-17 @req:Z-35
  Scenario Outline: a GET without a response is not retried
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then the router retried no request (Z-17)
    And the router refused the request (Z-35)

    Examples:
      | case                     | breaks                                                   |
      | closed                   | closes the connection instead of responding to           |
      | reset within the headers | resets the connection within the head of its response to |

  @buffering @req:Z-52 @req:Z-35
  Scenario Outline: a GET without a response is not retried
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then the router retried no request (Z-52)
    And visitor gets a cell's response, or a refusal (Z-35)

    Examples:
      | case                     | breaks                                                   |
      | closed                   | closes the connection instead of responding to           |
      | reset within the headers | resets the connection within the head of its response to |

  @learning @req:Z-17 @req:Z-41
  Scenario Outline: a GET with a truncated response is not retried
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then the router retried no request (Z-17)
    And visitor never sees a truncated response as complete (Z-41)

    Examples:
      | case    | breaks                                                           |
      | reset   | resets the connection within the body of its response to         |
      | closed  | closes the connection within the body of its response to         |
      | chunked | closes the connection within the chunked body of its response to |

  @buffering @req:Z-52 @req:Z-41
  Scenario Outline: a GET with a truncated response is not retried
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then the router retried no request (Z-52)
    And visitor never sees a truncated response as complete (Z-41)

    Examples:
      | case    | breaks                                                           |
      | reset   | resets the connection within the body of its response to         |
      | closed  | closes the connection within the body of its response to         |
      | chunked | closes the connection within the chunked body of its response to |

  @learning @req:Z-17 @req:Z-35
  Scenario: a GET to an owner that restarts is not retried
    Given visitor visited "/acme/before"
    And cell_us1 holds its response to "/acme/slow"
    When visitor starts to visit "/acme/slow"
    And cell_us1 restarts
    Then the router refused the request (Z-35)
    And the router retried no request (Z-17)

  @buffering @req:Z-52 @req:Z-35
  Scenario: a GET to an owner that restarts is not retried
    Given visitor visited "/acme/before"
    And cell_us1 holds its response to "/acme/slow"
    When visitor starts to visit "/acme/slow"
    And cell_us1 restarts
    And the held responses are released
    Then the router retried no request (Z-52)
    And visitor gets a cell's response, or a refusal (Z-35)

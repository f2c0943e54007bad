@hardening
Feature: A GET whose connection broke
  The buffering proposal lets a request be processed more than once, and HTTP lets a proxy send a GET again: so it SHOULD not
  be sent again there. Under learning a request is sent once, whatever its method.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  # Only the first response is spoilt: a second attempt would succeed, and be seen.
  @learning @req:Z-17 @req:Z-35
  Scenario Outline: under learning, a GET without a response is not sent again
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then nothing was sent again (Z-17)
    And the router refused the request (Z-35)

    Examples:
      | case              | breaks                                                 |
      | closed            | closes the connection instead of responding to |
      | reset in the head | resets the connection within the head of its response to |

  @buffering @req:Z-52 @req:Z-35
  Scenario Outline: under buffering, a GET without a response is not sent again
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then nothing was sent again (Z-52)
    And visitor gets a cell's response, or a refusal (Z-35)

    Examples:
      | case              | breaks                                                 |
      | closed            | closes the connection instead of responding to |
      | reset in the head | resets the connection within the head of its response to |

  @learning @req:Z-17 @req:Z-41
  Scenario Outline: under learning, a GET whose response breaks off is not sent again
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then nothing was sent again (Z-17)
    And visitor is not given a part of a response as the whole (Z-41)

    Examples:
      | case    | breaks                                                         |
      | reset   | resets the connection within the body of its response to         |
      | closed  | closes the connection within the body of its response to         |
      | chunked | closes the connection within the chunked body of its response to |

  @buffering @req:Z-52 @req:Z-41
  Scenario Outline: under buffering, a GET whose response breaks off is not sent again
    Given cell_us1 <breaks> "/acme/things", once
    When visitor visits "/acme/things"
    Then nothing was sent again (Z-52)
    And visitor is not given a part of a response as the whole (Z-41)

    Examples:
      | case    | breaks                                                         |
      | reset   | resets the connection within the body of its response to         |
      | closed  | closes the connection within the body of its response to         |
      | chunked | closes the connection within the chunked body of its response to |

  @learning @req:Z-17 @req:Z-35
  Scenario: under learning, a GET is not sent again to an owner that restarts
    Given visitor visited "/acme/before"
    And cell_us1 holds its response to "/acme/slow"
    When visitor begins to visit "/acme/slow"
    And cell_us1 restarts
    Then the router refused the request (Z-35)
    And nothing was sent again (Z-17)

  @buffering @req:Z-52 @req:Z-35
  Scenario: under buffering, a GET is not sent again to an owner that restarts
    Given visitor visited "/acme/before"
    And cell_us1 holds its response to "/acme/slow"
    When visitor begins to visit "/acme/slow"
    And cell_us1 restarts
    And the held responses are released
    Then nothing was sent again (Z-52)
    And visitor gets a cell's response, or a refusal (Z-35)

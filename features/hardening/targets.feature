@hardening @buffering @learning
Feature: The request target arrives as it was sent
  Nothing is decoded, no dots are resolved, no slashes are merged, and an empty query stays. The owner lives in the other
  region, so that in buffering the target is sent twice.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  @req:Z-13
  Scenario Outline: cold
    When visitor sends the target "<target>"
    Then the target "<target>" reached cell_us1 (Z-13)
    And every copy of the request carried the same method, target and body (Z-13)

    Examples:
      | kind            | target                              |
      | encoded slash   | /acme/a%2Fb                         |
      | encoded dots    | /acme/%2e%2e/b                      |
      | encoded letters | /acme/%41%7e%2D                     |
      | encoded percent | /acme/100%25                        |
      | UTF-8           | /acme/gr%C3%BC%C3%9Fe               |
      | plus and blank  | /acme/a+b%20c                       |
      | semicolons      | /acme/a;v=1;w/b                     |
      | other signs     | /acme/~!$&'()*,=:@-._               |
      | empty segment   | /acme//things                       |
      | final slash     | /acme/things/                       |
      | one dot         | /acme/./things                      |
      | two dots        | /acme/a/../things                   |
      | empty query     | /acme/things?                       |
      | empty members   | /acme/things?&&=&a==                |
      | query           | /acme/things?a=%2F&b=c%20d+e&a=/../ |

  @req:Z-13
  Scenario Outline: warm
    Given visitor visited "/acme/things"
    When visitor sends the target "<target>"
    Then the target "<target>" reached cell_us1 (Z-13)

    Examples:
      | kind          | target             |
      | encoded slash | /acme/a%2Fb        |
      | encoded dots  | /acme/%2e%2e/b     |
      | empty segment | /acme//things      |
      | two dots      | /acme/a/../things  |
      | empty query   | /acme/things?      |
      | query         | /acme/things?a=%2F |

  # RFC 3986 allows it; many parsers refuse it.
  @req:Z-13
  Scenario: an encoded zero byte arrives as it was sent or is refused
    When visitor sends the target "/acme/a%00b"
    Then the target "/acme/a%00b" reached cell_us1, or the router refused the bytes (Z-13)

  @req:Z-13
  Scenario: an encoded slash does not end a segment
    Given visitor visited "/acme/things"
    When visitor sends the target "/acme%2Fthings"
    Then no request went to cell_us1 (Z-13)

  @req:Z-13
  Scenario: a project named by its encoded path
    Given gabe is signed in
    When gabe sends the target "/api/v4/projects/gitlab-org%2Fgitlab"
    Then the target "/api/v4/projects/gitlab-org%2Fgitlab" reached cell_us0 (Z-13)
    And cell_us0 responded last (Z-13)
    And gabe gets status 200 (Z-13)

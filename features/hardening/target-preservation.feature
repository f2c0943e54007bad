@hardening @buffering @learning
Feature: Request targets are preserved
  The router decodes nothing, resolves no dot segments, merges no slashes, and keeps an empty
  query. The owner lives in the other region, so that under buffering the target is sent twice. Every
  character that RFC 3986 permits in a path and a query is in some target.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a request target reaches the owner unchanged
    When visitor sends the target "<target>"
    Then the target "<target>" reached cell_us1 (Z-13)
    And every copy of the request carried the same method, target and body (Z-13)

    Examples:
      | kind                     | target                                                      |
      | encoded slash            | /acme/a%2Fb                                                 |
      | encoded dot segments     | /acme/%2e%2e/b                                              |
      | encoded letters          | /acme/%41%7e%2D                                             |
      | encoded percent          | /acme/100%25                                                |
      | UTF-8                    | /acme/gr%C3%BC%C3%9Fe                                       |
      | plus and encoded space   | /acme/a+b%20c                                               |
      | semicolons               | /acme/a;v=1;w/b                                             |
      | empty segment            | /acme//things                                               |
      | trailing slash           | /acme/things/                                               |
      | dot segment              | /acme/./things                                              |
      | double dot segment       | /acme/a/../things                                           |
      | empty query              | /acme/things?                                               |
      | empty parameters         | /acme/things?&&=&a==                                        |
      | query with encoded slash | /acme/things?a=%2F&b=c%20d+e&a=/../                         |
      | capital letters          | /acme/ABCDEFGHIJKLMNOPQRSTUVWXYZ?ABCDEFGHIJKLMNOPQRSTUVWXYZ |
      | small letters            | /acme/abcdefghijklmnopqrstuvwxyz?abcdefghijklmnopqrstuvwxyz |
      | digits                   | /acme/0123456789?0123456789                                 |
      | marks of a path          | /acme/-._~!$&'()*+,;=:@                                     |
      | marks of a query         | /acme/things?-._~!$&'()*+,;=:@/?                            |
      | encoded marks            | /acme/%20%22%3C%3E%5B%5C%5D%5E%60%7B%7C%7D?%23%25%60%3F     |
      | encoded reserved marks   | /acme/%21%24%26%27%28%29%2A%2B%2C%3A%3B%3D%40               |
      | query of reserved marks  | /acme/things?a=%21%24%26%27%28%29%2A%2B%2C%3A%3B%3D%40&b=+  |
      | parameters of one name   | /acme/things?b=2&a=1&b=1&a&b=3                              |
      | URL in the path          | /acme/http://a.example//b                                   |

  Scenario Outline: a request target reaches the cached owner unchanged
    Given visitor visited "/acme/things"
    When visitor sends the target "<target>"
    Then the target "<target>" reached cell_us1 (Z-13)

    Examples:
      | kind                     | target             |
      | encoded slash            | /acme/a%2Fb        |
      | encoded dot segments     | /acme/%2e%2e/b     |
      | empty segment            | /acme//things      |
      | double dot segment       | /acme/a/../things  |
      | empty query              | /acme/things?      |
      | query with encoded slash | /acme/things?a=%2F |

  Scenario: an encoded NUL byte arrives unchanged or is refused
    RFC 3986 allows an encoded NUL; many parsers refuse it.
    When visitor sends the target "/acme/a%00b"
    Then the target "/acme/a%00b" reached cell_us1, or the router refused the raw request (Z-13)

  Scenario Outline: a target with <what> arrives unchanged or is refused
    RFC 3986 forbids it. A server may refuse it, but not mend it and go on (RFC 9112 3.2).
    Given visitor visited "/acme/things"
    When visitor sends raw bytes:
      """
      GET <target> HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the target "<target>" reached cell_us1, or the router refused the raw request (Z-13)

    Examples:
      | what                  | target                 |
      | raw letters           | /acme/grüße            |
      | raw letters in query  | /acme/things?a=grüße   |
      | a malformed escape    | /acme/100%/b%zz        |
      | a malformed parameter | /acme/things?a=%zz&b=1 |
      | raw marks             | /acme/a^b{d}           |
      | brackets in its path  | /acme/[a]              |
      | brackets in its query | /acme/things?a[]=1     |

  Scenario: a target that begins with two slashes keeps both
    When visitor sends the target "//acme/things"
    Then every copy of the request carried the same method, target and body (Z-13)

  @late
  Scenario: an encoded slash does not end a path segment
    Given visitor visited "/acme/things"
    When visitor sends the target "/acme%2Fthings"
    Then no request went to cell_us1 (Z-13)

  Scenario: an encoded slash in an API project path arrives unchanged
    Given gabe is signed in
    When gabe sends the target "/api/v4/projects/gitlab-org%2Fgitlab"
    Then the target "/api/v4/projects/gitlab-org%2Fgitlab" reached cell_us0 (Z-13)
    And cell_us0 responded last (Z-13)
    And gabe gets status 200 (Z-13)

@hardening @buffering @learning
Feature: Repeated fields
  The order of field lines with the same name is kept, and none is lost. A router may join them
  into one line with commas, as RFC 9110 allows, but not the lines of Set-Cookie.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: repeated request fields reach the cell in order
    When visitor sends:
      """
      <method> /acme/things
      Accept: text/html
      X-Thrice: 3
      Accept: application/json;q=0.9
      X-Thrice: 1
      X-Other: in  between
      X-Thrice: 2, and 1 again
      Accept: */*;q=0.1
      Accept-Encoding: identity
      Accept-Encoding: *;q=0

      """
    Then every copy of the request kept the lines of the user's fields (Z-46)
    And every copy of the request kept the bytes of the user's values (Z-68)
    And visitor gets the response of cell_us1 (Z-46)

    Examples:
      | method |
      | GET    |
      | POST   |

  Scenario: repeated request fields reach the cell in order on a warm cache
    Given visitor visited "/acme/before"
    When visitor sends:
      """
      GET /acme/things
      Accept-Language: nb;q=0.5
      Pragma: x-second
      X-Field: 2
      Cache-Control: no-transform
      X-Twice: b
      Accept-Language: en
      Cache-Control: max-age=0
      X-Field: 1
      X-Twice: a
      Pragma: x-first
      x-twice: c

      """
    Then every copy of the request kept the lines of the user's fields (Z-46)
    And every copy of the request kept the bytes of the user's values (Z-68)

  Scenario Outline: several lines of Cookie reach the cell as several cookies
    A comma would be part of a cookie (RFC 6265 4.2.1).
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      Cookie: flavor=plain
      Cookie: size=2; color=blue
      Connection: close

      """
    Then every request that reached a cell kept the lines of the user's fields (Z-46)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario Outline: repeated response fields reach the user in order
    Given cell_us1 sets on its response to "/acme/things":
      """
      <lines>
      """
    When visitor visits "/acme/things"
    Then the response to visitor carries the fields: (Z-46)
      """
      <lines>
      """
    And visitor gets the response of cell_us1 (Z-46)

    Examples:
      | name          | lines                                                                      |
      | Link          | Link: </b>; rel=next\nLink: </a>; rel=prev\nLink: </c>; rel="last, really" |
      | Cache-Control | Cache-Control: no-store\nCache-Control: max-age=0                          |
      | unknown field | X-Thrice: 3\nX-Thrice: 1\nX-Thrice: 2                                      |
      | two lists     | Vary: Origin\nX-Twice: b\nVary: Accept, Cookie\nX-Twice: a                |
      | languages     | Content-Language: nb, en\nPragma: x-b\nContent-Language: da\nPragma: x-a    |
      | challenges    | Www-Authenticate: Bearer realm="b"\nWww-Authenticate: Basic realm="a"      |

  Scenario Outline: repeated Set-Cookie fields reach the user on separate lines
    Given cell_us1 sets on its response to "/acme/things":
      """
      Set-Cookie: a=1; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT
      Set-Cookie: b=2; Path=/acme; HttpOnly; SameSite=None; Secure
      Set-Cookie: a=3; Path=/acme
      Set-Cookie: c="4, 5"; Path=/; Max-Age=60
      Set-Cookie: d=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT
      """
    When visitor sends <method> "/acme/things"
    Then the response to visitor carries the fields: (Z-05)
      """
      Set-Cookie: a=1; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT
      Set-Cookie: b=2; Path=/acme; HttpOnly; SameSite=None; Secure
      Set-Cookie: a=3; Path=/acme
      Set-Cookie: c="4, 5"; Path=/; Max-Age=60
      Set-Cookie: d=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT
      """

    Examples:
      | method |
      | GET    |
      | HEAD   |

@hardening @buffering @learning
Feature: Every field, by every method
  A router handles fields one by one. It does so for any method, later on a connection as at first,
  for an owner known or not, when somebody has left and while somebody waits. Each field has a
  different value each time.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And the namespace "/tools" on cell_eu1
    And cell_us1 holds its response to "/acme/held"
    And cell_us1 closes the connection instead of responding to "/acme/broken", once
    And a cold EU router

  @req:Z-68
  Scenario Outline: the fields of a request arrive
    When nina starts to visit "/acme/held"
    And gabe starts to visit "/acme/held"
    And nina leaves
    And anna sends DELETE "/acme/broken"
    And several users share a connection, in turns:
      """
      visitor sends <method> /acme/a/b/c/first?a=1
      Accept: text/html;q=0.1, */*;q=0.1
      Accept-Encoding: gzip;q=0.1
      Accept-Language: nb;q=0.1
      Authorization: Bearer glpat-1
      Cache-Control: max-age=1
      CDN-Loop: edge-1.example
      Cookie: flavour=plain-1; size=1
      Docker-Distribution-Api-Version: registry/1.0
      Idempotency-Key: key-1
      If-Match: "a-1"
      If-Modified-Since: Wed, 21 Oct 2015 07:28:00 GMT
      Job-Token: job-1
      Origin: https://pages-1.example
      Pragma: p-1
      Private-Token: glpat-1
      Range: bytes=0-1
      Sec-Purpose: prefetch;n=1
      User-Agent: Example/1.0
      X-Csrf-Token: csrf-1
      X-Field: of 1
      X-Request-Id: 01JA1
      X-Requested-With: XMLHttpRequest1
      X-Twice: 1, first
      X-Twice: 1, second
      visitor sends <method> /tools/a/b/c/second?a=2
      Accept: text/html;q=0.2, */*;q=0.1
      Accept-Encoding: gzip;q=0.2
      Accept-Language: nb;q=0.2
      Authorization: Bearer glpat-2
      Cache-Control: max-age=2
      CDN-Loop: edge-2.example
      Cookie: flavour=plain-2; size=2
      Docker-Distribution-Api-Version: registry/2.0
      Idempotency-Key: key-2
      If-Match: "a-2"
      If-Modified-Since: Wed, 22 Oct 2015 07:28:00 GMT
      Job-Token: job-2
      Origin: https://pages-2.example
      Pragma: p-2
      Private-Token: glpat-2
      Range: bytes=0-2
      Sec-Purpose: prefetch;n=2
      User-Agent: Example/2.0
      X-Csrf-Token: csrf-2
      X-Field: of 2
      X-Request-Id: 01JA2
      X-Requested-With: XMLHttpRequest2
      X-Twice: 2, first
      X-Twice: 2, second
      visitor sends <method> /acme/a/b/c/third?a=3
      Accept: text/html;q=0.3, */*;q=0.1
      Accept-Encoding: gzip;q=0.3
      Accept-Language: nb;q=0.3
      Authorization: Bearer glpat-3
      Cache-Control: max-age=3
      CDN-Loop: edge-3.example
      Cookie: flavour=plain-3; size=3
      Docker-Distribution-Api-Version: registry/3.0
      Idempotency-Key: key-3
      If-Match: "a-3"
      If-Modified-Since: Wed, 23 Oct 2015 07:28:00 GMT
      Job-Token: job-3
      Origin: https://pages-3.example
      Pragma: p-3
      Private-Token: glpat-3
      Range: bytes=0-3
      Sec-Purpose: prefetch;n=3
      User-Agent: Example/3.0
      X-Csrf-Token: csrf-3
      X-Field: of 3
      X-Request-Id: 01JA3
      X-Requested-With: XMLHttpRequest3
      X-Twice: 3, first
      X-Twice: 3, second
      visitor sends <method> /acme/a/b/c/third?a=3
      Accept: text/html;q=0.4, */*;q=0.1
      Accept-Encoding: gzip;q=0.4
      Accept-Language: nb;q=0.4
      Authorization: Bearer glpat-4
      Cache-Control: max-age=4
      CDN-Loop: edge-4.example
      Cookie: flavour=plain-4; size=4
      Docker-Distribution-Api-Version: registry/4.0
      Idempotency-Key: key-4
      If-Match: "a-4"
      If-Modified-Since: Wed, 24 Oct 2015 07:28:00 GMT
      Job-Token: job-4
      Origin: https://pages-4.example
      Pragma: p-4
      Private-Token: glpat-4
      Range: bytes=0-4
      Sec-Purpose: prefetch;n=4
      User-Agent: Example/4.0
      X-Csrf-Token: csrf-4
      X-Field: of 4
      X-Request-Id: 01JA4
      X-Requested-With: XMLHttpRequest4
      X-Twice: 4, first
      X-Twice: 4, second
      """
    And the held responses are released
    Then each request reached cells as its user sent it (Z-68)

    Examples:
      | method  |
      | GET     |
      | HEAD    |
      | POST    |
      | PUT     |
      | PATCH   |
      | DELETE  |
      | OPTIONS |

  @req:RT-08 @req:Z-43
  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario Outline: the fields of a response arrive
    Given cell_us1 responds to "/acme/a/b/c/first" with:
      """
      200
      Accept-Ranges: bytes, x-1
      Cache-Control: max-age=1, private
      Content-Disposition: inline; filename="1.zip"
      Content-Encoding: x-of-1
      Content-Language: nb, x-1
      Content-Location: /acme/1
      Content-Security-Policy: default-src 'self' 1.example
      Content-Type: text/plain; of=1
      Docker-Distribution-Api-Version: registry/1.0
      ETag: "page-1"
      Expires: Mon, 01 Jan 2035 00:00:00 GMT
      Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT
      Location: /acme/a/1
      Pragma: p-1
      Refresh: 1; url=/a
      Retry-After: 131
      Set-Cookie: a=1; Path=/
      Set-Cookie: b=1; Path=/; HttpOnly
      Vary: Accept, X-1
      WWW-Authenticate: Basic realm="1"
      X-Gitlab-Last-Update: 5d41
      X-Next-Page: 1
      X-Request-Id: 01JA1
      X-Runtime: 0.1
      X-Thrice: 1
      X-Thrice: 0
      X-Thrice: 11
      X-Total: 31
      X-Twice: 1, first
      X-Twice: second, 1

      page 1
      """
    And cell_us1 responds to "/acme/a/b/c/second" with:
      """
      404
      Accept-Ranges: bytes, x-2
      Cache-Control: max-age=2, private
      Content-Disposition: inline; filename="2.zip"
      Content-Encoding: x-of-2
      Content-Language: nb, x-2
      Content-Location: /acme/2
      Content-Security-Policy: default-src 'self' 2.example
      Content-Type: text/plain; of=2
      Docker-Distribution-Api-Version: registry/2.0
      ETag: "page-2"
      Expires: Mon, 02 Jan 2035 00:00:00 GMT
      Last-Modified: Mon, 02 Jan 2024 00:00:00 GMT
      Location: /acme/a/2
      Pragma: p-2
      Refresh: 2; url=/a
      Retry-After: 132
      Set-Cookie: a=2; Path=/
      Set-Cookie: b=2; Path=/; HttpOnly
      Vary: Accept, X-2
      WWW-Authenticate: Basic realm="2"
      X-Gitlab-Last-Update: 5d42
      X-Next-Page: 2
      X-Request-Id: 01JA2
      X-Runtime: 0.2
      X-Thrice: 2
      X-Thrice: 0
      X-Thrice: 12
      X-Total: 32
      X-Twice: 2, first
      X-Twice: second, 2

      page 2
      """
    And cell_us1 responds to "/acme/a/b/c/third" with:
      """
      503
      Accept-Ranges: bytes, x-3
      Cache-Control: max-age=3, private
      Content-Disposition: inline; filename="3.zip"
      Content-Encoding: x-of-3
      Content-Language: nb, x-3
      Content-Location: /acme/3
      Content-Security-Policy: default-src 'self' 3.example
      Content-Type: text/plain; of=3
      Docker-Distribution-Api-Version: registry/3.0
      ETag: "page-3"
      Expires: Mon, 03 Jan 2035 00:00:00 GMT
      Last-Modified: Mon, 03 Jan 2024 00:00:00 GMT
      Location: /acme/a/3
      Pragma: p-3
      Refresh: 3; url=/a
      Retry-After: 133
      Set-Cookie: a=3; Path=/
      Set-Cookie: b=3; Path=/; HttpOnly
      Vary: Accept, X-3
      WWW-Authenticate: Basic realm="3"
      X-Gitlab-Last-Update: 5d43
      X-Next-Page: 3
      X-Request-Id: 01JA3
      X-Runtime: 0.3
      X-Thrice: 3
      X-Thrice: 0
      X-Thrice: 13
      X-Total: 33
      X-Twice: 3, first
      X-Twice: second, 3

      page 3
      """
    When nina starts to visit "/acme/held"
    And gabe starts to visit "/acme/held"
    And nina leaves
    And anna sends DELETE "/acme/broken"
    And several users share a connection, in turns:
      """
      visitor sends <method> /acme/a/b/c/first
      visitor sends <method> /acme/a/b/c/second
      visitor sends <method> /acme/a/b/c/third
      visitor sends <method> /acme/a/b/c/first
      visitor sends <method> /acme/a/b/c/second
      """
    And the held responses are released
    Then each user on the connection got the response to their own request (Z-43)
    And the model of the documents permits every exchange (RT-08)

    Examples:
      | method  |
      | GET     |
      | HEAD    |
      | POST    |
      | PUT     |
      | PATCH   |
      | DELETE  |
      | OPTIONS |

@hardening @buffering @learning
Feature: Range and conditional requests
  Ranges and conditions are between the user and the cell. The router passes the request and the
  response on unchanged.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a range or conditional request gets the cell's response
    Given cell_us1 responds to "/acme/file" with:
      """
      <status>
      Content-Type: text/plain
      ETag: "5d41402a"
      Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT
      <answered>

      <body>
      """
    When visitor sends:
      """
      GET /acme/file
      <asked>

      """
    Then visitor gets the response of cell_us1 (Z-51)
    And visitor gets status <status> (Z-51)
    And every copy of the request carried the user's fields (Z-51)

    Examples:
      | case                    | asked                     | status | answered                     | body  |
      | first bytes             | Range: bytes=0-4          | 206    | Content-Range: bytes 0-4/11  | hello |
      | last bytes              | Range: bytes=-5           | 206    | Content-Range: bytes 6-10/11 | world |
      | beyond the end          | Range: bytes=90-99        | 416    | Content-Range: bytes */11    |       |
      | not modified            | If-None-Match: "5d41402a" | 304    | Cache-Control: max-age=0     |       |
      | If-Match of another tag | If-Match: "7d793037"      | 412    | Vary: Accept                 |       |

  Scenario: a request for two ranges gets the cell's multipart response
    Given cell_us1 responds to "/acme/file" with:
      """
      206
      Content-Type: multipart/byteranges; boundary=PART

      --PART
      Content-Range: bytes 0-0/11

      h
      --PART
      Content-Range: bytes 10-10/11

      d
      --PART--
      """
    When visitor sends:
      """
      GET /acme/file
      Range: bytes=0-0,10-10
      If-Range: "5d41402a"

      """
    Then visitor gets the response of cell_us1 (Z-51)
    And every copy of the request carried the user's fields (Z-51)

  Scenario: a range of a page seen before is not cut from a cached page
    A router caches routes, not pages.
    Given visitor visited "/acme/file"
    When visitor sends:
      """
      GET /acme/file
      Range: bytes=0-4

      """
    Then visitor gets the response of cell_us1 (Z-51)
    And visitor gets status 200 (Z-51)

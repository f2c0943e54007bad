@hardening @buffering @learning
Feature: Coded content
  A cell that says no-transform forbids intermediaries to change its content. HTTP libraries
  decompress by themselves where the user has not said which codings it takes, and then the length,
  the digest and the validators of the response are those of other content.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: compressed content that must not be transformed arrives as it was sent
    Given visitor visited "<known>"
    And cell_us1 responds to "/acme/archive" with raw bytes:
      """
      HTTP/1.1 200 OK
      Cache-Control: max-age=60, no-transform
      Content-Encoding: gzip
      Content-Length: 46
      Content-Type: text/plain
      ETag: "5d41402a"
      Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT

      \x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\x57\x48\x2b\xca\xcf\x55\x28\xc9\x48\x55\xc8\x2f\xcf\x4b\x2d\xd2\x51\xc8\xc0\x22\xca\x05\x00\xb3\x29\x50\xea\x2b\x00\x00\x00\
      """
    When visitor sends:
      """
      GET /acme/archive
      Accept: text/plain
      <accepted>

      """
    Then visitor gets the response of cell_us1 (Z-77)

    Examples:
      | case              | known        | accepted              |
      | no coding asked   | /            | X-Example: 1          |
      | gzip asked        | /            | Accept-Encoding: gzip |
      | warm, none asked  | /acme/before | X-Example: 1          |

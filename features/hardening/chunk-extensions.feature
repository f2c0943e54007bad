@hardening @buffering @learning
Feature: Chunk extensions out of proportion
  Nobody needs chunk extensions, and a reader that skips them reads as much as a user likes to
  send. A router limits them. One that forwards a body while it arrives notices late, and then
  responds 502.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a megabyte of <extensions> is refused
    Short extensions are a hundred bytes each, for one byte of the body.
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      Transfer-Encoding: chunked
      Connection: close

      <chunks>0

      """
    Then the router refused the raw request, or gave up on it (Z-93)

    Examples:
      | extensions                    | case | known        | chunks                         |
      | extensions for a byte of body | cold | /            | 1;{1000000 bytes}\\r\\nx\\r\\n |
      | extensions for a byte of body | warm | /acme/before | 1;{1000000 bytes}\\r\\nx\\r\\n |
      | short extensions              | cold | /            | {10000 chunks}                 |
      | short extensions              | warm | /acme/before | {10000 chunks}                 |

@hardening @buffering @learning
Feature: Bodies that are refused
  A router that does not read a body to its end cannot tell where the next request begins, so it closes
  the connection. Each body here hides a request where a router may stop reading, or read again. Some
  bodies are legal, with an extension that few routers take; there the request is part of the data.

  Background:
    Given the namespace "/acme" on cell_us1
    And the response timeout is 500 ms
    And a cold EU router

  Scenario Outline: nothing behind a refused chunk is served
    The hidden request and what surrounds it are as long as the line of a legal chunk is.
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      Transfer-Encoding: chunked

      2
      ab
      <chunk>
      GET /smuggled HTTP/1.1
      Host: a

      {24 bytes}
      0

      """
    Then no cell received a request for "/smuggled" (Z-54)
    And nothing that followed the raw request got a 2xx (Z-54)

    Examples:
      | case                 | chunk                                              | known        |
      | size, cold           | 0G:x\\r\\n                                         | /            |
      | size, warm           | 0G:x\\r\\n                                         | /acme/before |
      | sign, cold           | -0\\r\\n                                           | /            |
      | sign, warm           | +0\\r\\n                                           | /acme/before |
      | overflow, cold       | 10000000000000000\\r\\n                            | /            |
      | overflow, warm       | 10000000000000000\\r\\n                            | /acme/before |
      | blank, cold          | 40 ;{60 bytes}\\r\\n0\\r\\n                        | /            |
      | blank, warm          | 40 ;{60 bytes}\\r\\n0\\r\\n                        | /acme/before |
      | long extension, cold | 440;{1084 bytes}\\r\\n0\\r\\nX: {1019 bytes}\\r\\n | /            |
      | long extension, warm | 440;{1084 bytes}\\r\\n0\\r\\nX: {1019 bytes}\\r\\n | /acme/before |
      | no line end, cold    | 3\\r\\nabcXX0\\r\\n                                | /            |
      | no line end, warm    | 3\\r\\nabcXX0\\r\\n                                | /acme/before |
      | long trailer, cold   | 0\\r\\nX: {9000 bytes}                             | /            |
      | long trailer, warm   | 0\\r\\nX: {9000 bytes}                             | /acme/before |
      | trailer line, cold   | 0\\r\\nno field                                    | /            |
      | trailer line, warm   | 0\\r\\nno field                                    | /acme/before |

  Scenario Outline: nothing in the rest of a refused body is served
    The response may come in the pause, before the rest of the body.
    Given the body buffer limit is <limit> bytes
    And visitor visited "<known>"
    When visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      <framing>{2000 bytes}{1200 ms}GET /smuggled HTTP/1.1
      Host: a

      <end>\
      """
    Then no cell received a request for "/smuggled" (Z-54)
    And nothing that followed the raw request got a 2xx (Z-54)

    Examples:
      | case                     | framing                                         | end                 | limit | known        |
      | limit, by length, cold   | Content-Length: 2035\\r\\n\\r\\n                |                     | 1000  | /            |
      | limit, by length, warm   | Content-Length: 2035\\r\\n\\r\\n                |                     | 1000  | /acme/before |
      | limit, chunked, cold     | Transfer-Encoding: chunked\\r\\n\\r\\n7f3\\r\\n | \\r\\n0\\r\\n\\r\\n | 1000  | /            |
      | limit, chunked, warm     | Transfer-Encoding: chunked\\r\\n\\r\\n7f3\\r\\n | \\r\\n0\\r\\n\\r\\n | 1000  | /acme/before |
      | timeout, by length, cold | Content-Length: 2035\\r\\n\\r\\n                |                     | 9000  | /            |
      | timeout, by length, warm | Content-Length: 2035\\r\\n\\r\\n                |                     | 9000  | /acme/before |
      | timeout, chunked, cold   | Transfer-Encoding: chunked\\r\\n\\r\\n7f3\\r\\n | \\r\\n0\\r\\n\\r\\n | 9000  | /            |
      | timeout, chunked, warm   | Transfer-Encoding: chunked\\r\\n\\r\\n7f3\\r\\n | \\r\\n0\\r\\n\\r\\n | 9000  | /acme/before |

  Scenario: nothing behind a refused chunk of a last request is served
    When visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      Connection: close
      Transfer-Encoding: chunked

      2
      ab
      0G:x

      GET /smuggled HTTP/1.1
      Host: a

      """
    Then no cell received a request for "/smuggled" (Z-57)
    And nothing that followed the raw request got a 2xx (Z-57)

@hardening @buffering @learning
Feature: Targets in absolute form
  What a cell gets of an absolute target is its path and query. An empty path is "/", and the scheme
  is the same in any letters (RFC 9110 4.2.3, RFC 9112 3.2.1). The only cell gets whatever is sent.

  Background:
    Given the installation of the cell "cell_eu0"
    And a cold EU router

  Scenario Outline: an absolute target with <what> reaches the cell
    When visitor sends raw bytes:
      """
      GET <absolute> HTTP/1.1
      {host and id}
      Connection: close

      """
    Then the target "<target>" reached cell_eu0 (Z-42)

    Examples:
      | what                     | absolute                     | target          |
      | no path                  | http://{host}                | /               |
      | a query and no path      | http://{host}?a=%2F&b        | /?a=%2F&b       |
      | an empty query           | http://{host}/my-company?    | /my-company?    |
      | its scheme in capitals   | HTTP://{host}/my-company     | /my-company     |
      | two slashes in its path  | http://{host}//my-company    | //my-company    |
      | another URL in its query | http://{host}/a?b=http://c/d | /a?b=http://c/d |

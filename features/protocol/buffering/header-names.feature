@protocol @buffering
Feature: Names of the routing headers
  Field names are case-insensitive (RFC 9110 5.1), and only the whole name counts.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:buffering/changes:item-7
  Scenario Outline: a redirect header in <form> is followed
    Given every EU cell responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 302 Found
      Location: /acme/things
      <name>: {cell:Cell US1}
      Content-Length: 0
      Connection: close

      """
    When visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (BF-03)

    Examples:
      | form       | name                   |
      | lower case | x-gitlab-cell-redirect |
      | capitals   | X-GITLAB-CELL-REDIRECT |

  @doc:buffering/changes:item-7
  Scenario Outline: a cache header in <form> adds an entry
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Content-Type: text/plain
      <name>: {path_prefix:/acme/}
      Content-Length: 5
      Connection: close

      hello\
      """
    And visitor visited "/acme/things"
    When visitor visits "/acme/more"
    Then the visit went straight to cell_us1 (CA-03)

    Examples:
      | form       | name                |
      | lower case | x-gitlab-cell-cache |
      | capitals   | X-GITLAB-CELL-CACHE |

  @doc:buffering/project-signed-out:arrow-3 @late
  Scenario: a field whose name begins like the redirect header is no redirect
    Given every cell responds to "/acme/things" with:
      """
      302
      Location: /acme/elsewhere
      X-Gitlab-Cell-Redirect-Note: {cell:Cell US1}

      """
    When visitor visits "/acme/things"
    Then visitor is redirected to "/acme/elsewhere" (BF-09)
    And the last request reached exactly one cell (BF-09)

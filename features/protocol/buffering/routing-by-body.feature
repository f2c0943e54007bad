@protocol @buffering @doc:buffering/differences
Feature: Routing by the request body
  A cell may choose the owner by the URI or by the body. Here requests with the same request line
  reach different cells, because the JSON bodies name different organizations.

  Scenario Outline: a group is created on the cell of the organization in the body
    Given <person> is signed in
    And a cold <region> router
    When <person> sends POST "/groups" with the JSON '{"name": "acme", "path": "acme", "organization": "<organization>"}'
    Then <owner> responded last (BF-07)
    And the path "/acme" belongs to <owner> (BF-07)
    And the cell received the complete body (BF-04)

    Examples:
      | case           | person | organization        | owner    | region |
      | home in Europe | anna   | my-organization     | cell_eu0 | US     |
      | home in the US | nina   | not-my-organization | cell_us1 | EU     |

  Scenario: a group without an organization in the body is created on the legacy cell
    Given gabe is signed in
    And a cold EU router
    When gabe sends POST "/groups" with the JSON '{"name": "acme", "path": "acme"}'
    Then cell_us0 responded last (BF-07)

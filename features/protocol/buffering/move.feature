@protocol @buffering @document:buffering-requests
Feature: An organization has moved
  The entry is out of date. The old cell points to the new one, and the new one's cache header corrects the entry.

  @req:TD-02 @req:TD-01
  Scenario: the router converges at once
    Given the cells and people of the documents
    And a cold EU router
    And anna is signed in
    And anna visited "/my-company/my-project"
    When the organization "my-organization" moves to cell_us1
    And anna visits "/my-company/my-project"
    And anna visits "/my-company/my-other-project"
    Then the exchange was (TD-02)
      """
      user->>router_eu: GET /my-company/my-project
      router_eu->>cell_eu0: GET /my-company/my-project
      cell_eu0-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
      router_eu->>cell_us1: GET /my-company/my-project
      cell_us1-->>user: 200
      user->>router_eu: GET /my-company/my-other-project
      router_eu->>cell_us1: GET /my-company/my-other-project
      cell_us1-->>user: 200
      """
    And anna sees the page "My Other Project" (TD-01)

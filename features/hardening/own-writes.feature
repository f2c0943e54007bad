@hardening @buffering @learning
Feature: A user sees what they wrote
  Replicas may be behind in another region. Beside the primary a user who has written through a router sees no older state,
  and elsewhere the new state follows.

  Background:
    Given the cells and people of the documents
    And the replicas of the EU region lag until they are released
    And gabe is signed in
    And a cold US router
    And a cold EU router

  @req:Z-32
  Scenario: in the region of the primary a user reads their own write at once
    When gabe sends:
      """
      POST /-/user_settings
      Content-Type: application/x-www-form-urlencoded

      default_organization=my-organization
      """
    And gabe visits "/"
    Then gabe is sent to "/organizations/my-organization/-/dashboard" (Z-32)

  @req:Z-32
  Scenario: in another region a user reads their own write once the replicas have it
    When gabe sends:
      """
      POST /-/user_settings
      Content-Type: application/x-www-form-urlencoded

      default_organization=my-organization
      """
    And gabe visits "/" through the EU router
    And the replicas are released
    And gabe visits "/" through the EU router
    Then gabe is sent to "/organizations/my-organization/-/dashboard" (Z-32)

@hardening @buffering @learning
Feature: Users read their own writes
  Replicas of another region may lag. In the region of the primary, a user who has written through
  a router reads no older state. In other regions the new state follows.

  Background:
    Given the replicas of the EU region lag until they are released
    And gabe is signed in
    And a cold US router
    And a cold EU router

  Scenario: a user in the region of the primary reads their own write at once
    When gabe sends POST "/-/user_settings" with the form "default_organization=my-organization"
    And gabe visits "/"
    Then gabe is redirected to "/organizations/my-organization/-/dashboard" (Z-32)

  Scenario: a user in another region reads their own write once the replicas have it
    When gabe sends POST "/-/user_settings" with the form "default_organization=my-organization"
    And gabe visits "/" through the EU router
    And the replicas are released
    And gabe visits "/" through the EU router
    Then gabe is redirected to "/organizations/my-organization/-/dashboard" (Z-32)

@hardening
Feature: Fields between cells and routers stay internal
  The fields that cells and routers exchange reach no user, and no user can supply them. All other
  fields pass through unchanged.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @buffering
  Scenario: no response carries a cache or redirect header
    Given anna is signed in
    When visitor visits "/acme/things"
    And visitor visits "/acme/more"
    And anna visits "/my-company/my-project"
    And anna visits "/not-my-company/not-my-project"
    And anna visits "/organizations/my-organization/-/dashboard"
    Then no response to a user carries the field "X-Gitlab-Cell-Cache" (Z-03)
    And no response to a user carries the field "X-Gitlab-Cell-Redirect" (Z-37)

  @learning @late
  Scenario: a cache header does not reach the user
    Given cell_us1 sets "X-Gitlab-Cell-Cache: {path_prefix:/acme/}" on its response to "/acme/things"
    When visitor visits "/acme/things"
    Then no response to a user carries the field "X-Gitlab-Cell-Cache" (Z-03)

  @learning
  Scenario Outline: a redirect header without an internal redirect does not reach the user
    Given cell_us1 responds to "/acme/things" with the status <status> and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
    When visitor visits "/acme/things"
    Then no response to a user carries the field "X-Gitlab-Cell-Redirect" (Z-37)

    Examples:
      | status |
      | 200    |
      | 302    |
      | 404    |

  @buffering @learning
  Scenario: every cookie of the final response reaches the user
    Given cell_us1 sets on its response to "/acme/things":
      """
      Set-Cookie: home=1; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT
      Set-Cookie: flavor=plain; Path=/acme
      """
    When visitor visits "/acme/things"
    Then the response to visitor carries the fields: (Z-05)
      """
      Set-Cookie: home=1; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT
      Set-Cookie: flavor=plain; Path=/acme
      """

  @buffering @learning @late
  Scenario: routing fields of a user reach no cell
    When visitor sends:
      """
      GET /acme/things
      X-Gitlab-Cell-Redirect: {cell:Cell US0}
      X-Gitlab-Cell-Cache: {path_prefix:/gitlab-org/}
      x-gitlab-cell-cache: {path_prefix:/}

      """
    Then no cell received the field "X-Gitlab-Cell-Redirect" (Z-04)
    And no cell received the field "X-Gitlab-Cell-Cache" (Z-04)
    And visitor gets the response of cell_us1 (Z-04)

  @buffering @learning
  Scenario Outline: unknown request fields pass through unchanged
    When visitor sends:
      """
      <method> /acme/things?x=1
      Accept: */*
      X-Example: one
      X-Example: two
      X-Empty:
      X-Request-Id: 01F8MECHZX3TBDSZ7XRADM79XE

      """
    Then every copy of the request carried the user's fields (Z-31)
    And cell_us1 responded last (Z-31)

    Examples:
      | method |
      | GET    |
      | POST   |

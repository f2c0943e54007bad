Feature: What the forms of sessions permit
  The shortest counterexamples of the model of sessions, played on the fleet. They show what each form
  itself permits, and judge no router. Whoever has a copy of a cookie is the visitor.

  Background:
    Given anna is signed in

  @buffering @req:DB-06 @doc:buffering/changes:item-9 @doc:buffering/sessions
  Scenario: a lagging replica takes a copy after the sign-out
    Given sessions are kept in one store with replicas
    When visitor copies the cookies of anna
    And the replicas of the EU region lag from now on
    And anna sends POST "/users/sign_out" on cell_us1 directly
    And visitor visits "/" on cell_eu0 directly
    Then the exchange was (DB-06)
      """
      anna->>cell_us1: POST /users/sign_out
      cell_us1-->>anna: 302
      visitor->>cell_eu0: GET /
      cell_eu0-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

  @buffering @req:DB-06 @doc:buffering/changes:item-9 @doc:buffering/sessions
  Scenario: a lagging replica takes a session of the old password
    Given sessions are kept in one store with replicas
    And visitor is signed in as anna
    When the replicas of the EU region lag from now on
    And anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us1 directly
    And visitor visits "/" on cell_eu0 directly
    Then the exchange was (DB-06)
      """
      anna->>cell_us1: POST /-/user_settings/password
      cell_us1-->>anna: 302
      visitor->>cell_eu0: GET /
      cell_eu0-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

  # The session of whoever changes the password stays what it was.
  @buffering @req:SE-05 @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario: a new password leaves a copy in one store
    Given sessions are kept in one store with replicas
    When visitor copies the cookies of anna
    And anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us1 directly
    And visitor visits "/" on cell_us1 directly
    And 400 s pass on the clock of the cells
    And visitor visits "/" on cell_us1 directly
    Then the exchange was (SE-05)
      """
      anna->>cell_us1: POST /-/user_settings/password
      cell_us1-->>anna: 302
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

  @buffering @req:SE-05 @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario: a new password leaves a copy in a store for each region
    Given sessions are kept in a store for each region
    When visitor copies the cookies of anna
    And anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us1 directly
    And visitor visits "/" on cell_us1 directly
    Then the exchange was (SE-05)
      """
      anna->>cell_us1: POST /-/user_settings/password
      cell_us1-->>anna: 302
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

  # A JWT lives 300 s, and one that is in use is renewed after half of that, under another id.
  @buffering @req:SE-09 @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario: a copy that was renewed is not on the list
    Given sessions are JWTs, and a list names the revoked
    When visitor copies the cookies of anna
    And 200 s pass on the clock of the cells
    And visitor visits "/" on cell_us1 directly
    And anna sends POST "/users/sign_out" on cell_us1 directly
    And visitor visits "/" on cell_us1 directly
    And 200 s pass on the clock of the cells
    And visitor visits "/" on cell_eu0 directly
    And 200 s pass on the clock of the cells
    And visitor visits "/" on cell_eu0 directly
    Then the exchange was (SE-09)
      """
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      anna->>cell_us1: POST /users/sign_out
      cell_us1-->>anna: 302
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      visitor->>cell_eu0: GET /
      cell_eu0-->>visitor: 302 /organizations/my-organization/-/dashboard
      visitor->>cell_eu0: GET /
      cell_eu0-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

  @buffering @req:SE-09 @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario: a JWT of the old password counts after the new one
    Given sessions are JWTs that live 60 s, and no list names the revoked
    And visitor is signed in as anna
    When anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us1 directly
    And visitor visits "/" on cell_us1 directly
    Then the exchange was (SE-09)
      """
      anna->>cell_us1: POST /-/user_settings/password
      cell_us1-->>anna: 302
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

  @buffering @req:SE-04 @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario: a copy that is in use outlives the sign-out forever
    Given sessions are JWTs that live 60 s, and no list names the revoked
    When visitor copies the cookies of anna
    And anna sends POST "/users/sign_out" on cell_us1 directly
    And visitor visits "/" on cell_us1 directly
    And 40 s pass on the clock of the cells
    And visitor visits "/" on cell_us1 directly
    And 40 s pass on the clock of the cells
    And visitor visits "/" on cell_us1 directly
    Then the exchange was (SE-04)
      """
      anna->>cell_us1: POST /users/sign_out
      cell_us1-->>anna: 302
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

  @buffering @req:DB-06 @doc:buffering/changes:item-9 @doc:buffering/sessions
  Scenario: a lagging replica renews a JWT of the old password
    Given sessions are JWTs that live 60 s, and no list names the revoked
    And visitor is signed in as anna
    When the replicas of the EU region lag from now on
    And anna sends POST "/-/user_settings/password" with the form "current_password=anna-password&password=another" on cell_us1 directly
    And 40 s pass on the clock of the cells
    And visitor visits "/" on cell_eu0 directly
    And 40 s pass on the clock of the cells
    And visitor visits "/" on cell_us1 directly
    Then the exchange was (DB-06)
      """
      anna->>cell_us1: POST /-/user_settings/password
      cell_us1-->>anna: 302
      visitor->>cell_eu0: GET /
      cell_eu0-->>visitor: 302 /organizations/my-organization/-/dashboard
      visitor->>cell_us1: GET /
      cell_us1-->>visitor: 302 /organizations/my-organization/-/dashboard
      """

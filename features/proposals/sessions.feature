Feature: What the forms of sessions permit
  The shortest counterexamples of the model of sessions, played on the fleet. They show what each form
  itself permits, and judge no router.

  Background:
    Given the cells and people of the documents
    And sessions are JWTs that live 60 s, and no list names the revoked

  # The user keeps a copy of the cookie.
  @buffering @req:SE-04 @doc:buffering/sessions @doc:routes-learning/sessions
  Scenario: a copy that is in use outlives the sign-out for ever
    Given cell_us1 sets on its response to "/users/sign_out":
      """
      Set-Cookie: left=over; Path=/
      """
    And anna is signed in
    When anna sends on cell_us1 directly:
      """
      POST /users/sign_out

      """
    And 40 s pass on the clock of the cells
    And anna visits "/" on cell_eu0 directly
    And 40 s pass on the clock of the cells
    And anna visits "/" on cell_eu0 directly
    Then anna is redirected to "/organizations/my-organization/-/dashboard" (SE-04)

  @buffering @req:DB-06 @doc:buffering/changes:item-9 @doc:buffering/sessions
  Scenario: a lagging replica renews a JWT of the old password
    Given the replicas of the EU region lag until they are released
    And anna is signed in
    And visitor is signed in as anna
    When anna sends on cell_us0 directly:
      """
      POST /-/user_settings/password
      Content-Type: application/x-www-form-urlencoded

      current_password=anna-password&password=another
      """
    And 40 s pass on the clock of the cells
    And visitor visits "/" on cell_eu0 directly
    And 40 s pass on the clock of the cells
    And visitor visits "/" on cell_eu0 directly
    Then visitor is redirected to "/organizations/my-organization/-/dashboard" (DB-06)

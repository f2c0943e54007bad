@hardening
Feature: Journeys that exploration found

  A program made these journeys up and made them as short as they could be while a broken router still
  failed them. The model of the documents judges each exchange of them.

  @buffering @learning
  Scenario: A place below another one's place is asked for first
    Given the installation of the cells "cell_us0, cell_us1, cell_eu0"
    And the namespace "acme" on cell_us1
    And the namespace "acme/site" on cell_eu0
    And a cold EU router
    When visitor sends the target "/acme/site/-/issues"
    And visitor sends the target "/acme"
    And visitor sends the target "/acme/site"
    Then the model of the documents permits every exchange (Z-09)

  @buffering @doc:buffering/organization-moved
  Scenario: A body is sent again to the cell that its organization moved to
    Given the installation of the cells "cell_us0, cell_us2, cell_ap0"
    And a cold AP router
    When visitor sends the target "/my-company/handbook"
    And the organization "my-organization" moves to cell_us2
    And anna sends POST "/my-company/handbook/" with 300 random bytes in chunks
    Then the model of the documents permits every exchange (BF-04)

  @buffering @doc:buffering/organization-moved
  Scenario: An organization that moves twice is asked for twice
    Given the installation of the cells "cell_us0, cell_us1"
    And a cold US router
    When visitor sends the target "/my-company/handbook/-/issues"
    And the organization "my-organization" moves to cell_us1
    And visitor sends the target "/my-company/handbook"
    And the organization "my-organization" moves to cell_us0
    And visitor sends the target "/my-company/handbook"
    And visitor sends the target "/my-company/handbook"
    Then the model of the documents permits every exchange (RT-09)

  @buffering
  Scenario: A path that was visited before is asked for where its place was made anew
    Given the installation of the cells "cell_us0, cell_us1"
    And the namespace "a-b/a.b/A" on cell_us0
    And a cold US router
    When visitor sends the target "/a-b/a.b/A"
    And cell_us0 goes down
    And the namespace "a-b/a.b/A" is renamed to "renamed-2"
    And the namespace "a-b/a.b/A" is created on cell_us1
    And visitor sends the target "/a-b/a.b/A/x/y.z"
    And cell_us0 comes back
    And visitor sends the target "/a-b/a.b/A/x/y.z"
    Then the model of the documents permits every exchange (Z-38)

  @learning @doc:routes-learning/pre-flight
  Scenario: The responses to two pre-flights at once belong to a path each
    Given the installation of the cells "cell_us0, cell_eu2"
    And the namespace "unknown-1" on cell_eu2
    And 12 paths with different prefixes
    And every cell holds its response to a pre-flight about "/unknown-1/page"
    And every cell holds its response to "/a+b/held-2"
    And a cold US router
    When nina starts to visit "/unknown-1/page"
    And nina starts to visit "/a+b/held-2"
    And the held response to "/unknown-1/page" is released
    And visitor visits 1 paths with different cold prefixes
    And visitor sends the target "/unknown-1"
    And the held responses are released
    Then the model of the documents permits every exchange (CA-07)

  @learning @doc:routes-learning/pre-flight
  Scenario: A place inside another is asked about again when its entry has expired
    Given the installation of the cells "cell_us0, cell_us1, cell_eu0"
    And the namespace "acme" on cell_us0
    And the namespace "acme/site" on cell_us1
    And cache entries live 400 ms
    And a cold EU router
    When visitor sends the target "/acme/site/x"
    And 450 ms pass
    And visitor sends the target "/acme/x/y"
    And visitor sends the target "/acme/site"
    Then the model of the documents permits every exchange (LN-13)

  @learning @doc:routes-learning/pre-flight
  Scenario: A request after one that broke off goes where its pre-flight said
    A router may refuse what broke off before a cell reads its pre-flight, and learn from that.
    Given the installation of the cells "cell_us0, cell_us1, cell_eu0"
    And the namespace "acme" on cell_us1
    And a cold EU router
    When visitor sends raw bytes, then half-closes:
      """
      POST /acme/site HTTP/1.1
      {host and id}
      Transfer-Encoding: chunked

      32
      hello\
      """
    And 200 ms pass
    And visitor sends the target "/acme/site"
    And visitor sends the target "/acme"
    Then the model of the documents permits every exchange (LN-01)

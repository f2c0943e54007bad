@hardening
Feature: Journeys in installations that the documents do not draw

  Exploration plays journeys in installations that it makes up. These few show what such installations
  have: organizations, groups and projects on chosen cells, which are created, renamed and
  moved. The model of the documents judges each exchange.

  Background:
    Given the installation of the cells "cell_us0, cell_us1, cell_eu0, cell_eu1"
    And a cold EU router

  @buffering @learning
  @doc:buffering/private-project:item-2 @doc:routes-learning/private-project:item-2
  Scenario: groups and projects of an organization are reached by everyone who may see them
    Given the organization "acme" on cell_us1
    And the group "acme-tools" of the organization "acme"
    And the private group "acme-lab" of the organization "acme"
    And the group "open" on cell_eu1
    And the project "acme-tools/site" with the id 501
    And the private project "acme-lab/plans" with the id 502
    And the project "acme-tools/site" is on cell_eu0, apart from its group
    And anna is a member of "acme-lab"
    And anna is signed in
    When anna sends the target "/acme-lab/plans"
    And visitor sends the target "/acme-tools/site"
    And visitor sends the target "/acme-tools"
    And visitor sends the target "/api/v4/projects/501"
    And visitor sends the target "/open"
    And visitor sends the target "/acme-lab/plans"
    And anna signs out
    And anna sends the target "/acme-lab/plans"
    Then the model of the documents permits every exchange (RT-08)

  @buffering @learning
  @doc:buffering/request-flows @doc:routes-learning/pre-flight
  Scenario: a namespace is created, gets a project and another path
    Given the group "open" on cell_eu1
    When visitor sends the target "/late/x"
    And the namespace "late" is created on cell_us1
    And visitor sends the target "/late"
    And the project "open/site" is created
    And visitor sends the target "/open/site"
    And the namespace "late" is renamed to "later"
    And visitor sends the target "/later"
    Then the model of the documents permits every exchange (RT-08)

  @buffering @learning
  @doc:buffering/request-flows @doc:routes-learning/pre-flight
  Scenario: a user leaves while another one's response is released
    Given the group "open" on cell_eu1
    And every cell holds its response to "/open/a"
    And every cell holds its response to "/open/b"
    When anna starts to visit "/open/a"
    And nina starts to visit "/open/b"
    And anna leaves
    And the held response to "/open/b" is released
    And the held responses are released
    And visitor sends the target "/open"
    Then the model of the documents permits every exchange (RT-08)

  @buffering
  Scenario: a refusal about a cell is not that of a refusal before about the same cell
    The refusal before has a status that none may have where a cell is down. Both are about the same
    cell: the other one of its region is down all the time.
    Given the body buffer limit is 65536 bytes
    And the group "near" on cell_eu0
    And the group "far" on cell_us1
    And cell_eu1 refuses connections
    And visitor visited "/near/a"
    When visitor sends POST "/far/b" with 70000 random bytes
    And cell_eu0 goes down
    And visitor visits "/near/c"
    Then the router refused the request (Z-35)

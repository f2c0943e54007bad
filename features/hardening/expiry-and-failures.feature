@hardening @learning
Feature: Expiry together with failures
  Caches of content may serve what has expired where they cannot ask. An entry is where a place was:
  the place may have moved since, so a router that cannot ask refuses, and asks the next time.

  Background:
    Given cache entries live 400 ms
    And a cold EU router

  @req:Z-35
  Scenario Outline: an expired entry is not used where its pre-flight is <answered>
    Given the response timeout is 500 ms
    And visitor visited "/my-company/handbook"
    And every cell <fault> a pre-flight about "/my-company/handbook/next"
    When the organization "my-organization" moves to cell_us1
    And the entries' time to live passes
    And visitor visits "/my-company/handbook/next"
    Then the router refused the request (Z-35)
    And no cell received a request for "/my-company/handbook/next" (TD-03)

    Examples:
      | answered   | fault                                          |
      | closed     | closes the connection instead of responding to |
      | reset      | resets the connection instead of responding to |
      | not at all | never responds to                              |

  @req:Z-35
  Scenario Outline: an expired entry is not used where its learn response is <kind>
    Given visitor visited "/my-company/handbook"
    And every cell responds to a pre-flight about "/my-company/handbook/next" with:
      """
      <status>
      Content-Type: <type>

      <response>
      """
    When the organization "my-organization" moves to cell_us1
    And the entries' time to live passes
    And visitor visits "/my-company/handbook/next"
    Then the router refused the request (Z-35)
    And no cell received a request for "/my-company/handbook/next" (TD-03)

    Examples:
      | kind            | status | type             | response                               |
      | a 500           | 500    | text/plain       | out of order                           |
      | a 503           | 503    | application/json | {"message": "being deployed"}          |
      | a 429           | 429    | text/plain       | slow down                              |
      | a 403           | 403    | text/html        | <h1>Forbidden</h1>                     |
      | of no cell      | 200    | application/json | {"path": "/my-company"}                |
      | of unknown cell | 200    | application/json | {"path": "/my-company", "cell": "eu7"} |

  @req:Z-34
  Scenario: an expired entry is not used where no cell names an owner
    Given nina is signed in
    And nina visited "/not-my-company/not-my-project"
    And every cell responds to a pre-flight about "/not-my-company/-/boards" with the status 404
    When the organization "not-my-organization" moves to cell_eu0
    And the entries' time to live passes
    And nina visits "/not-my-company/-/boards"
    Then no request went to cell_us1 (Z-34)
    And the last request reached exactly one cell (Z-34)

  @req:LN-13 @doc:routes-learning/pre-flight
  Scenario: a pre-flight that fails does not prolong an entry
    Given anna is signed in
    And anna visited "/my-company/handbook"
    And every cell responds to a pre-flight about "/my-company/my-project" with the status 500
    When the organization "my-organization" moves to cell_us1
    And the entries' time to live passes
    And anna visits "/my-company/my-project"
    And anna visits "/my-company/my-other-project"
    Then the visit went to cell_us1 as on a cold cache (LN-13)

  @req:TD-03 @doc:routes-learning/organization-moved
  Scenario: users who come together after the expiry reach the new owner
    Given visitor visited "/my-company/handbook"
    And every cell holds its response to a pre-flight about "/my-company/handbook/next"
    When the organization "my-organization" moves to cell_us1
    And the entries' time to live passes
    And anna starts to visit "/my-company/handbook/next"
    And nina starts to visit "/my-company/handbook/next" as well
    And visitor visits "/gitlab-org/gitlab"
    And the held responses are released
    Then no request went to cell_eu0 (TD-03)
    And every user got a cell's response unchanged (TD-03)

  @req:Z-14
  Scenario: users whose pre-flights fail together are refused together
    Two cells take half a second. One after the other, forty users would wait for ten seconds or more.
    Given the namespace "/acme" on cell_us1
    And every cell responds to a pre-flight about "/acme/one" with the status 500
    And every cell responds to a pre-flight about "/acme/one" after 250 ms
    When visitor visits "/acme/one" 40 times at once
    Then the router refused the request (Z-35)
    And the response to visitor took at most 6000 ms (Z-14)

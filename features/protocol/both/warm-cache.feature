@protocol @buffering @learning
Feature: Requests on a warm cache
  After one request the router knows the owner of the path and goes straight there. The owners
  live in the other region, so that a cold request would show.

  Rule: One request warms the cache

    @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2 @late
    Scenario: a second request goes straight to the owner
      Given the namespace "/acme" on cell_us1
      And a cold EU router
      And visitor visited "/acme/things"
      When visitor visits "/acme/things"
      Then the visit went straight to cell_us1 (RT-09)

    @doc:buffering/private-project:item-2 @doc:routes-learning/private-project:item-2 @late
    Scenario: a request of another user goes straight to the owner
      Given a cold EU router
      And anna is signed in
      And anna visited "/gitlab-org/gitlab"
      When visitor visits "/gitlab-org/gitlab"
      Then the visit went straight to cell_us0 (CA-09)

    @doc:buffering/changes:item-7
    Scenario: a cached path does not mean a cached page
      Given the namespace "/acme" on cell_us1
      And a cold EU router
      And visitor visited "/acme/things"
      When visitor visits "/acme/things"
      And visitor visits "/acme/things"
      Then the exchange was (CA-17)
        """
        user->>router_eu: GET /acme/things
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        user->>router_eu: GET /acme/things
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        """

  Rule: Entries of several levels

    @doc:buffering/request-flows @doc:routes-learning/pre-flight @late
    Scenario: a group and its project on another cell have their own entries
      Given the namespace "/acme" on cell_us0
      And the namespace "/acme/elsewhere" on cell_us1
      And a cold EU router
      And visitor visited "/acme/elsewhere"
      And visitor visited "/acme/things"
      When visitor visits "/acme/elsewhere/deep/inside"
      And visitor visits "/acme/else"
      Then the exchange was (CA-10)
        """
        user->>router_eu: GET /acme/elsewhere/deep/inside
        router_eu->>cell_us1: GET /acme/elsewhere/deep/inside
        cell_us1-->>user: 200
        user->>router_eu: GET /acme/else
        router_eu->>cell_us0: GET /acme/else
        cell_us0-->>user: 200
        """

    @doc:buffering/root:item-5 @doc:routes-learning/root:item-5
    Scenario: an organization has its own entry
      Given a cold US router
      And anna is signed in
      And anna visited "/organizations/my-organization/-/dashboard"
      When anna visits "/organizations/my-organization/-/dashboard?page=2"
      Then the visit went straight to cell_eu0 (CA-11)

    @doc:buffering/root:item-5 @doc:routes-learning/root:item-5
    Scenario: an entry of one organization does not serve another
      Given a cold US router
      And anna is signed in
      And nina is signed in
      And anna visited "/organizations/my-organization/-/dashboard"
      When nina visits "/organizations/not-my-organization/-/dashboard"
      Then no request went to cell_eu0 (CA-11)
      And nina gets the response of cell_us1 (CA-11)

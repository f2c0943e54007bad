@journey
Feature: A new customer signs up
  The customer is asked whether to join an organization or to create one. A customer who does
  neither belongs to the default organization, GitLab.com Public.

  Background:
    Given a cold EU router

  @buffering @doc:buffering/sign-up
  Rule: Sign-up on any cell

    Scenario: any cell serves the sign-up form
      When visitor visits "/users/sign_up"
      Then the exchange was (RG-01)
        """
        user->>router_eu: GET /users/sign_up
        router_eu->>any_eu_cell: GET /users/sign_up
        any_eu_cell-->>user: 200
        """

    Scenario: any cell creates the account
      When the new customer signs up, joining "my-organization"
      Then the exchange was (BF-09)
        """
        user->>router_eu: POST /users/sign_up
        router_eu->>any_eu_cell: POST /users/sign_up
        any_eu_cell-->>user: 302
        """

    Scenario: a new organization is found on its cell
      When the new customer signs up, creating the organization "fresh-organization"
      And the new customer visits "/organizations/fresh-organization/-/dashboard"
      Then the last exchange was (BF-03)
        """
        user->>router_eu: GET /organizations/fresh-organization/-/dashboard
        router_eu->>any_eu_cell: GET /organizations/fresh-organization/-/dashboard
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /organizations/fresh-organization/-/dashboard
        %% CA-11 each organization has its own prefix
        cell_us1-->>user: 200 [cell: X-Gitlab-Cell-Cache={path_prefix:/organizations/fresh-organization/}]
        """

  @learning @doc:routes-learning/sign-up
  Rule: Sign-up on a fixed cell

    Scenario: the cell of the sign-in page serves the sign-up form
      When visitor visits "/users/sign_up"
      Then the exchange was (LN-07)
        """
        user->>router_eu: GET /users/sign_up
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/users/sign_up
        any_eu_cell-->>router_eu: 200 {path: "/users", cell: "cell_eu0", source: "fixed"}
        router_eu->>cell_eu0: GET /users/sign_up
        cell_eu0-->>user: 200
        """

    Scenario: the cell of the sign-in page creates the account by one request
      Given visitor visited "/users/sign_up"
      When the new customer signs up, joining "my-organization"
      Then there was no pre-flight (LN-21)
      And the exchange was (LN-10)
        """
        user->>router_eu: POST /users/sign_up
        opt the router learns each method separately
          %% choice LN-17
          router_eu->>any_eu_cell: GET {learn}?method=POST&path_info=/users/sign_up
          any_eu_cell-->>router_eu: 200 {path: "/users", cell: "cell_eu0", source: "fixed"}
        end
        router_eu->>cell_eu0: POST /users/sign_up
        cell_eu0-->>user: 302
        """

    Scenario: a new organization is learned by a pre-flight
      When the new customer signs up, creating the organization "fresh-organization"
      And the new customer visits "/organizations/fresh-organization/-/dashboard"
      Then the last exchange was (LN-01)
        """
        user->>router_eu: GET /organizations/fresh-organization/-/dashboard
        %% choice LN-17
        router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/organizations/fresh-organization/-/dashboard
        any_eu_cell-->>router_eu: 200 {path: "/organizations/fresh-organization", cell: "cell_us1", source: "routable"}
        router_eu->>cell_us1: GET /organizations/fresh-organization/-/dashboard
        cell_us1-->>user: 200
        """

  @buffering @learning @doc:buffering/sign-up @doc:routes-learning/sign-up
  Rule: Organization of a new customer

    @any-cache
    Scenario: the sign-up form asks about an organization
      When visitor visits "/users/sign_up"
      Then visitor sees the page "Sign up" (SU-01)
      And visitor sees the text "I am part of an organization" (SU-01)
      And visitor sees the text "I would like to create one" (SU-01)

    Scenario: a customer who joins an organization has it as default
      When the new customer signs up, joining "my-organization"
      And the new customer visits "/"
      Then the new customer is redirected to "/organizations/my-organization/-/dashboard" (OR-01)

    Scenario: a customer who creates an organization has it as default
      When the new customer signs up, creating the organization "fresh-organization"
      And the new customer visits "/"
      Then the new customer is redirected to "/organizations/fresh-organization/-/dashboard" (OR-01)

    Scenario: a customer who does neither has the public organization as default
      When the new customer signs up, choosing neither
      And the new customer visits "/"
      Then the new customer is redirected to "/dashboard" (SU-02)

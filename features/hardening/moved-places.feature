@hardening @buffering
Feature: Entries of places that have moved
  A bounce corrects an entry that a move made stale. The router has to notice also where the former
  owner is gone, where the new owner announces another prefix, and where the request that was
  bounced cannot be sent again.

  Background:
    Given a cold EU router

  Rule: The former owner is gone

    Scenario Outline: a moved place is found though its former owner is down
      Given visitor visited "/my-company/handbook"
      When the organization "my-organization" moves to cell_us1
      And cell_eu0 goes down
      And visitor sends <method> "/my-company/handbook" with <bytes> random bytes
      Then visitor gets the response of cell_us1 (Z-81)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | PUT    | 4096  |

    Scenario: the second request goes straight to the new owner
      Given visitor visited "/my-company/handbook"
      When the organization "my-organization" moves to cell_us1
      And cell_eu0 goes down
      And visitor visits "/my-company/handbook"
      And visitor visits "/my-company/handbook"
      Then the visit went straight to cell_us1 (Z-81)

  Rule: The new owner announces a shorter prefix

    Scenario: a narrower entry does not outlive a bounce
      Given the namespace "/acme" on cell_us1
      And every cell responds to "/acme/site/first" with the status 200 and "X-Gitlab-Cell-Cache: {path_prefix:/acme/site/}"
      And visitor visited "/acme/site/first"
      When visitor visits "/acme/site/second"
      And visitor visits "/acme/site/third"
      Then the visit went straight to cell_us1 (Z-82)

  Rule: The body is too long to be sent on

    Scenario Outline: an upload that was bounced ends or mends the entry
      A router that streams the upload to the cell of the entry learns from the bounce. One that
      refuses it at once has learned nothing.
      Given the body buffer limit is 65536 bytes
      And nina is signed in
      And nina visited "/not-my-company/not-my-project"
      When the organization "not-my-organization" moves to cell_us0
      And nina sends PUT "/not-my-company/not-my-project/" with <body>
      And nina visits "/not-my-company/not-my-project"
      Then the exchange was (Z-82)
        """
        nina->>router_eu: PUT /not-my-company/not-my-project/
        alt the upload is refused at once
          opt
            router_eu-->>nina: 413
          end
          nina->>router_eu: GET /not-my-company/not-my-project
          alt the entry has stayed
            router_eu->>cell_us1: GET /not-my-company/not-my-project
            cell_us1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
          else it went with the upload
            router_eu->>any_eu_cell: GET /not-my-company/not-my-project
            any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
          end
        else it goes to the cell of the entry
          router_eu->>cell_us1: PUT /not-my-company/not-my-project/
          cell_us1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
          alt it can be sent on
            router_eu->>cell_us0: PUT /not-my-company/not-my-project/
            cell_us0-->>nina: 200
          else it is gone
            router_eu-->>nina: 413
          end
          nina->>router_eu: GET /not-my-company/not-my-project
          opt the entry is gone as well
            router_eu->>any_eu_cell: GET /not-my-company/not-my-project
            any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US0}
          end
        end
        router_eu->>cell_us0: GET /not-my-company/not-my-project
        cell_us0-->>nina: 200
        """

      Examples:
        | case    | body                         |
        | counted | 65537 random bytes           |
        | chunked | 65537 random bytes in chunks |

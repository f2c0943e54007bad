@protocol @buffering
Feature: Cache entries from the X-Gitlab-Cell-Cache header
  The owner adds a header with a path prefix to its response. From then on the router sends
  requests below that prefix to the cell that responded. The owners live in the other region, so
  that a cold request always visits an EU cell first.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Covered paths

    @doc:buffering/changes:item-7
    Scenario Outline: a request below a cached prefix goes straight to the owner
      Given visitor visited "/acme/things"
      When visitor sends <method> "<path>"
      Then the visit went straight to cell_us1 (CA-03)

      Examples:
        | case               | path                   | method |
        | another page       | /acme/other            | GET    |
        | deep page          | /acme/a/b/c/-/d?page=2 | GET    |
        | POST               | /acme/things           | POST   |
        | HEAD of the prefix | /acme/                 | HEAD   |

    @doc:buffering/project-signed-in:item-4 @late
    Scenario: an entry after two internal redirects names the final cell
      Given every EU cell responds to "/acme/things" with the status 302 and "X-Gitlab-Cell-Redirect: {cell:Cell US0}"
      When visitor visits "/acme/things"
      And visitor visits "/acme/other"
      Then the visit went straight to cell_us1 (CA-18)

  Rule: Limits of the prefix

    @doc:buffering/project-signed-in:arrow-5
    Scenario: a prefix deeper than the group covers nothing next to it
      Given cell_us1 sets "X-Gitlab-Cell-Cache: {path_prefix:/acme/tools/}" on its response to "/acme/tools/saw"
      And cell_us1 sets "X-Gitlab-Cell-Cache: {path_prefix:/acme/tools/}" on its response to "/acme/tools/plane"
      And visitor visited "/acme/tools/saw"
      When visitor visits "/acme/tools/plane"
      And visitor visits "/acme/things"
      Then the exchange was (CA-02)
        """
        user->>router_eu: GET /acme/tools/plane
        router_eu->>cell_us1: GET /acme/tools/plane
        cell_us1-->>user: 200
        user->>router_eu: GET /acme/things
        router_eu->>any_eu_cell: GET /acme/things
        any_eu_cell-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell US1}
        router_eu->>cell_us1: GET /acme/things
        cell_us1-->>user: 200
        """

  Rule: Missing header

    @doc:buffering/root:item-2
    Scenario: a response without a cache header adds no entry
      Given cell_us1 responds to "/acme/quiet" with the status 200
      And visitor visited "/acme/quiet"
      When visitor visits "/acme/quiet"
      Then the visit went to cell_us1 as on a cold cache (CA-04)

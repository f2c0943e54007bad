@hardening @buffering @learning
Feature: Untrusted hosts, forwarded fields and redirects
  Cells do not build URLs from a host name that the user forged, and users never see the addresses
  of cells. The router decides which Host cells see. No user can supply the fields between cells
  and routers. A router follows no redirect that is meant for a user.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Forwarded fields

    Scenario Outline: a forged host appears in no redirect
      Given cell_us1 redirects "/acme/things" to the host it received
      When visitor sends:
        """
        GET /acme/things
        <field>

        """
      Then the response to visitor has no "evil.example" in the field "Location" (Z-26)
      And visitor gets status 302 (Z-26)

      Examples:
        | case             | field                                                 |
        | X-Forwarded-Host | X-Forwarded-Host: evil.example                        |
        | Forwarded        | Forwarded: for=10.9.8.7;host=evil.example;proto=https |

    Scenario: Connection does not remove the router's X-Forwarded-Host
      Fields that the user lists in Connection end at the router. Fields that the router sets do
      not.
      When visitor visits "/acme/things"
      And visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        {host and id}
        Connection: close, X-Forwarded-Host

        """
      Then every request carried the same field "X-Forwarded-Host" to the cells (Z-26)

    Scenario Outline: a forged X-Forwarded field reaches no cell
      When visitor sends:
        """
        GET /acme/things
        <field>: <value>

        """
      Then no cell received "<value>" in the field "<field>" (Z-26)
      And visitor gets the response of cell_us1 (Z-26)

      Examples:
        | field             | value        |
        | X-Forwarded-Host  | evil.example |
        | X-Forwarded-Proto | gopher       |

    Scenario: a redirect to a cell's own address does not expose it
      Given cell_us1 redirects "/acme/things" to its own address
      When visitor visits "/acme/things"
      Then the response to visitor names no cell's address (Z-26)

    Scenario: a redirect to a cell's own address leads to the page
      Given cell_us1 redirects "/acme/things" to its own address, once
      When visitor visits "/acme/things"
      And visitor follows the redirect
      Then visitor gets the response of cell_us1 (Z-26)
      And visitor gets status 200 (Z-26)

    Scenario: a request with an unknown Host is served or refused
      The user may send any host name.
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        Host: gitlab.example
        X-Conformance-Id: {id}
        Connection: close

        """
      Then visitor gets status 200, 400, 403, 404, 421 (Z-26)

    Scenario Outline: a request without exactly one valid Host is refused
      When visitor sends raw bytes:
        """
        GET /acme/things HTTP/1.1
        X-Conformance-Id: {id}
        <hosts>

        """
      Then the router refused the raw request (Z-62)
      And no part of the raw request reached a cell (Z-62)

      Examples:
        | case    | hosts                                |
        | none    | Connection: close                    |
        | two     | Host: {host}\\r\\nHost: evil.example |
        | invalid | Host: a b                            |
        | port    | Host: {host}x                        |

  Rule: Routing fields

    Scenario Outline: a routing field of a user is removed
      Given visitor visited "<known>"
      When visitor sends:
        """
        <method> /acme/things
        <field>

        """
      Then no cell received the field "X-Gitlab-Cell-Redirect" (Z-04)
      And no cell received the field "X-Gitlab-Cell-Cache" (Z-04)
      And visitor gets the response of cell_us1 (Z-72)

      Examples:
        | case  | known        | method | field                                                                           |
        | cold  | /            | GET    | X-Gitlab-Cell-Redirect: {cell:Cell US0}                                         |
        | warm  | /acme/before | POST   | X-Gitlab-Cell-Redirect: {cell:Cell US0}                                         |
        | twice | /            | POST   | x-gitlab-cell-cache: {path_prefix:/}\nX-Gitlab-Cell-Cache: {path_prefix:/acme/} |

  Rule: User redirects

    Scenario Outline: a redirect for the user is passed on unchanged
      The cell decides where it redirects to. The router fetches nothing from there.
      Given cell_us1 responds to "/acme/things" with the status <status> and "Location: <location>"
      When visitor sends <method> "/acme/things"
      Then visitor gets the response of cell_us1 (Z-26)
      And visitor gets status <status> (Z-26)

      Examples:
        | case                 | method | status | location                  |
        | another host         | GET    | 302    | https://evil.example/acme |
        | URL without a scheme | GET    | 302    | //evil.example/acme       |
        | POST with 307        | POST   | 307    | /acme/more?a=%2F          |

    Scenario Outline: a foreign redirect target of a sign-in is ignored
      When anna visits "/users/sign_in?redirect=<location>"
      And anna signs in
      Then every user got a cell's response unchanged (Z-26)
      And no cell received a request for "/evil" (Z-26)

      Examples:
        | case                 | location                  |
        | URL without a scheme | //evil.example/evil       |
        | encoded URL          | %2F%2Fevil.example%2Fevil |

    Scenario: a target that begins with two slashes is not taken for a host
      When visitor sends the target "//evil.example/acme"
      Then visitor gets a cell's response, or a refusal (Z-26)

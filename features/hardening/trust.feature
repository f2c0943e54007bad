@hardening @buffering @learning
Feature: What users say of themselves
  Cells do not make URLs of a name that the user made up in a field, and users do not see the addresses of cells. Which Host
  cells see is left to the router. What cells and routers tell each other no user can say. And no router follows a redirect that is meant for a user.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Names

    @req:Z-26
    Scenario Outline: a host that the user makes up is in no redirect
      Given cell_us1 redirects "/acme/things" under the host that it is told
      When visitor sends:
        """
        GET /acme/things
        <field>

        """
      Then visitor is not sent to the host "evil.example" (Z-26)
      And visitor gets status 302 (Z-26)

      Examples:
        | case           | field                                                 |
        | a host         | X-Forwarded-Host: evil.example                        |
        | the newer form | Forwarded: for=10.9.8.7;host=evil.example;proto=https |

    # Fields that the user lists there end at the router, but not those that the router sets.
    @req:Z-26
    Scenario: listing X-Forwarded-Host in Connection takes away nothing that the router says
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close

        """
      And visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: {host}
        X-Conformance-Id: {id}
        Connection: close, X-Forwarded-Host

        """
      Then every request told the cells the same in the field "X-Forwarded-Host" (Z-26)

    @req:Z-26
    Scenario Outline: what the user says of the way
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

    @req:Z-26
    Scenario: a cell that knows only its own address
      Given cell_us1 redirects "/acme/things" to its own address
      When visitor visits "/acme/things"
      Then the response to visitor names no cell's address (Z-26)

    # Whatever name it is, it is the user's own.
    @req:Z-26
    Scenario: another host
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        Host: gitlab.example
        X-Conformance-Id: {id}
        Connection: close

        """
      Then visitor gets one of the statuses "200, 400, 403, 404, 421" (Z-26)

    @req:Z-62
    Scenario Outline: no host, or more than one
      When visitor sends the bytes:
        """
        GET /acme/things HTTP/1.1
        X-Conformance-Id: {id}
        <hosts>

        """
      Then the router refused the bytes (Z-62)
      And nothing of the bytes reached a cell (Z-62)

      Examples:
        | case    | hosts                                |
        | none    | Connection: close                    |
        | two     | Host: {host}\\r\\nHost: evil.example |
        | no name | Host: a b                            |

  Rule: What cells and routers say

    @req:Z-04 @req:Z-72
    Scenario Outline: the same names from a user
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
        | case        | known        | method | field                                                                           |
        | cold        | /            | GET    | X-Gitlab-Cell-Redirect: {cell:Cell US0}                                         |
        | warm        | /acme/before | POST   | X-Gitlab-Cell-Redirect: {cell:Cell US0}                                         |
        | twice       | /            | POST   | x-gitlab-cell-cache: {path_prefix:/}\nX-Gitlab-Cell-Cache: {path_prefix:/acme/} |

  Rule: Redirects for users

    # Whether that is a good place is the cell's business. The router fetches nothing from there.
    @req:Z-26
    Scenario Outline: are passed on as they are
      Given cell_us1 responds to "/acme/things" with:
        """
        <status>
        Location: <place>

        """
      When visitor sends <method> "/acme/things"
      Then visitor gets the response of cell_us1 (Z-26)
      And visitor gets status <status> (Z-26)

      Examples:
        | case             | method | status | place                     |
        | elsewhere        | GET    | 302    | https://evil.example/acme |
        | without a scheme | GET    | 302    | //evil.example/acme       |
        | the same method  | POST   | 307    | /acme/more?a=%2F          |

    @req:Z-26
    Scenario Outline: the place to return to
      When anna visits "/users/sign_in?redirect=<place>"
      And anna signs in
      Then every response reached its user as a cell gave it (Z-26)
      And no cell received a request for "/evil" (Z-26)

      Examples:
        | case      | place                     |
        | no scheme | //evil.example/evil       |
        | an escape | %2F%2Fevil.example%2Fevil |

    @req:Z-26
    Scenario: a target that begins with two slashes
      When visitor sends the target "//evil.example/acme"
      Then visitor gets a cell's response, or a refusal (Z-26)

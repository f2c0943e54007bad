@protocol @buffering @learning
Feature: The user gets the owner's response
  However many cells were asked before, the user gets the owner's response: its status, its fields
  and its body. The owner lives in the other region.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Response status

    @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
    Scenario Outline: a response of any status reaches the user
      Given cell_us1 responds to "/acme/things" with:
        """
        <status>
        Content-Type: text/plain; charset=utf-8
        X-Example: a, "b"; c=d

        says Cell, <status>
        """
      When visitor visits "/acme/things"
      And visitor visits "/acme/things"
      Then visitor gets status <status> (RT-08)
      And visitor gets the response of cell_us1 (RT-08)
      And every user got a cell's response unchanged (RT-08)

      Examples:
        | status |
        | 201    |
        | 401    |
        | 404    |
        | 429    |
        | 500    |
        | 503    |

    @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
    Scenario: a response without content reaches the user
      Given cell_us1 responds to "/acme/things" with the status 204 and 'ETag: "nothing"'
      When visitor sends DELETE "/acme/things"
      Then visitor gets status 204 (RT-08)
      And visitor gets the response of cell_us1 (RT-08)

    @doc:buffering/project-signed-out:arrow-3
    Scenario Outline: a redirect for the user reaches the user
      Given cell_us1 responds to "/acme/old" with the status <status> and "Location: <location>"
      When visitor visits "/acme/old"
      Then visitor gets status <status> (BF-09)
      And visitor gets the response of cell_us1 (RT-08)
      And the response to visitor carries the fields: (RT-08)
        """
        Location: <location>
        """

      Examples:
        | status | location                              |
        | 301    | /acme/new                             |
        | 302    | /acme/new?from=%2Facme%2Fold&x=1#part |
        | 303    | https://www.example.com/acme/new      |
        | 307    | ../new                                |
        | 308    | //www.example.com/acme                |

  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Rule: Response fields

    @late
    Scenario: several cookies reach the user on separate lines
      Given cell_us1 sets on its response to "/acme/things":
        """
        Set-Cookie: home=1; Path=/; HttpOnly; SameSite=Lax
        Set-Cookie: seen="a b"; Path=/acme; Expires=Wed, 21 Oct 2065 07:28:00 GMT
        Set-Cookie: home=2; Path=/acme
        """
      When visitor visits "/acme/things"
      Then the response to visitor carries the fields: (RT-08)
        """
        Set-Cookie: home=1; Path=/; HttpOnly; SameSite=Lax
        Set-Cookie: seen="a b"; Path=/acme; Expires=Wed, 21 Oct 2065 07:28:00 GMT
        Set-Cookie: home=2; Path=/acme
        """
      And visitor gets the response of cell_us1 (RT-08)

    @late
    Scenario: fields for caches and browsers reach the user
      Given cell_us1 sets on its response to "/acme/things":
        """
        Cache-Control: private, max-age=0, must-revalidate
        Content-Disposition: inline; filename="a \"b\".txt"; filename*=UTF-8''%e2%82%ac
        Content-Language: nb, en
        Content-Security-Policy: default-src 'self'; img-src *
        ETag: W/"67ab43"
        Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT
        Link: </acme/things?page=2>; rel="next"
        Link: </acme/things?page=9>; rel="last"
        Vary: Accept, Cookie
        X-Request-Id: 01F8MECHZX3TBDSZ7XRADM79XE
        """
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (RT-08)

  Rule: Response page

    @doc:buffering/private-project:item-3 @doc:routes-learning/private-project:item-3 @late
    Scenario: the owner's 404 reaches the user
      Given anna is signed in
      When anna visits "/not-my-company/not-my-project"
      Then anna gets status 404 (PR-01)
      And anna gets the response of cell_us1 (PR-01)

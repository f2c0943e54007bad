@hardening @buffering @learning
Feature: Requests at their edges
  A request reaches its cell with all that its user sent and with nothing that a library adds, also
  where names, lengths and contents are rare ones.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a request field with <edge> arrives
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      <line>
      Content-Length: 5
      Connection: close

      hello\
      """
    Then every copy of the request carried the user's fields (<row>)

    Examples:
      | edge                      | known | line                                | row   |
      | a dot in its name         | /     | X.Dotted.Name: 1                    | Z-68  |
      | an underscore in its name | /acme | UPLOAD_TYPE: segment                | Z-68  |
      | signs in its name         | /acme | X!#$%&'*+^`\|~: 1                   | Z-68  |
      | quotes and blanks         | /     | X-Field: "a  \\\\"b" ; c="\\t" , ,d | Z-68  |
      | bytes of UTF-8            | /     | X-City: S\\xc3\\xa3o Paulo          | Z-102 |
      | bytes of Latin-1          | /acme | X-City: S\\xe3o Paulo               | Z-102 |

  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario Outline: a <method> that says that it has no content is served
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      Content-Length: 0
      Connection: close

      """
    Then visitor gets the response of cell_us1 (RT-08)

    Examples:
      | method |
      | GET    |
      | HEAD   |
      | DELETE |

  Scenario Outline: the content of a <method> is not lost
    A router may refuse the content of a GET (RFC 9110 9.3.1); it does not lose it on the way.
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      <framing>

      <content>\
      """
    Then no cell took a truncated body for complete (Z-61)
    And the user got a response to every request that reached a cell (Z-54)

    Examples:
      | method | framing                    | content                         |
      | GET    | Content-Length: 5          | hello                           |
      | GET    | Transfer-Encoding: chunked | 5\\r\\nhello\\r\\n0\\r\\n\\r\\n |
      | HEAD   | Content-Length: 5          | hello                           |
      | DELETE | Content-Length: 5          | hello                           |

  Scenario Outline: a <method> does not get a <name>, <case>
    What tells about the user or the content is not a router's to say (RFC 9110 7.7).
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      <line>
      Connection: close

      <body>\
      """
    Then no cell received the field "<name>" (Z-106)

    Examples:
      | case    | method | name         | line              | body     |
      | empty   | GET    | User-Agent   | Accept: */*       |          |
      | a form  | POST   | Content-Type | Content-Length: 3 | a=b      |
      | empty   | POST   | Content-Type | Content-Length: 0 |          |

  Scenario Outline: a trailer of a request is no field at the cell, <name>
    Trailers come when authentication and routing are over (RFC 9110 6.5.1).
    When visitor visits "<before>"
    And visitor sends raw bytes:
      """
      POST /acme/things HTTP/1.1
      {host and id}
      Transfer-Encoding: chunked
      Trailer: <name>
      Connection: close

      5
      hello
      0
      <name>: late

      """
    Then no cell received "late" in the field "<name>" (Z-101)

    Examples:
      | name          | before |
      | Authorization | /tools |
      | Cookie        | /acme  |
      | Private-Token | /tools |
      | X-Field       | /acme  |

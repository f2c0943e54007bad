@hardening @buffering @learning
Feature: Fields that nobody sent
  Libraries add fields of their own. What tells about the user, or about a content, is not a router's
  to say (RFC 9110 7.7), and no field that has one value stands twice (5.3).

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a <method> does not get a <name>
    Given visitor visited "<known>"
    When visitor sends raw bytes:
      """
      <method> /acme/things HTTP/1.1
      {host and id}
      Content-Length: <length>
      Connection: close

      <body>\
      """
    Then no cell received the field "<name>" (Z-106)

    Examples:
      | method | name             | known | length | body  |
      | GET    | User-Agent       | /     | 0      |       |
      | POST   | User-Agent       | /acme | 3      | a=b   |
      | POST   | Content-Type     | /     | 3      | a=b   |
      | PUT    | Content-Type     | /acme | 8      | {"a": 1} |
      | POST   | Content-Type     | /acme | 0      |       |
      | PATCH  | Content-Encoding | /     | 3      | a=b   |
      | DELETE | Content-Type     | /acme | 0      |       |

  @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
  Scenario Outline: a response does not get a type, <looks>
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Content-Length: <length>

      <body>\
      """
    When visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (RT-08)

    Examples:
      | looks     | length | body          |
      | like HTML | 13     | <html></html> |
      | like JSON | 8      | {"a": 1}      |
      | like text | 5      | hello         |
      | empty     | 0      |               |

  Scenario Outline: no singleton field of a response stands twice, <status>
    Given cell_us1 responds to "/acme/things" with:
      """
      <status>
      Age: 7
      Content-Type: text/plain
      Date: Wed, 21 Oct 2015 07:28:00 GMT
      ETag: "5d41402a"
      Last-Modified: Wed, 21 Oct 2015 07:00:00 GMT
      Location: /acme/there
      Server: cell

      a page
      """
    When visitor sends <method> "/acme/things"
    Then the response repeats no singleton field (Z-107)

    Examples:
      | status | method |
      | 200    | GET    |
      | 200    | HEAD   |
      | 201    | POST   |
      | 301    | GET    |
      | 304    | GET    |
      | 404    | GET    |

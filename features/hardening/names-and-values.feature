@hardening @buffering @learning
Feature: Names and values at their edges
  A name may have letters, digits and fifteen signs, and a value any visible character (RFC 9110 5.1
  and 5.5). A router knows few of the fields that it passes on, and drops or mends none.

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
    And visitor gets the response of cell_us1 (<row>)

    Examples:
      | edge                      | known | line                                 | row   |
      | a dot in its name         | /     | X.Dotted.Name: 1                     | Z-68  |
      | an underscore in its name | /     | UPLOAD_TYPE: segment                 | Z-68  |
      | signs in its name         | /acme | X!#$%&'*+^`\|~: 1                    | Z-68  |
      | a name of one letter      | /     | Q: 1                                 | Z-68  |
      | a name of digits          | /     | 404: 1                               | Z-68  |
      | hyphens at its edges      | /acme | -X--Edge-: 1                         | Z-68  |
      | a long name               | /     | X-{300 bytes}: 1                     | Z-68  |
      | a long value              | /acme | X-Long: {7000 bytes}                 | Z-68  |
      | quotes and blanks         | /     | X-Field: "a  \\\\"b" ; c="\\t" , d   | Z-68  |
      | all signs in its value    | /     | X-Field: !#$%&'()*+-./:<=>?@[]^_`{}~ | Z-68  |
      | commas alone              | /acme | X-Field: ,,                          | Z-68  |
      | bytes of UTF-8            | /     | X-City: S\\xc3\\xa3o Paulo           | Z-102 |
      | bytes of Latin-1          | /acme | X-City: S\\xe3o Paulo                | Z-102 |

  Scenario Outline: a response field with <edge> arrives
    Given cell_us1 responds to "/acme/things" with raw bytes:
      """
      HTTP/1.1 200 OK
      Content-Type: text/plain
      <line>
      Content-Length: 5

      hello\
      """
    When visitor visits "/acme/things"
    Then visitor gets the response of cell_us1 (<row>)

    Examples:
      | edge                      | line                                                    | row   |
      | a dot in its name         | X.Dotted.Name: 1                                        | Z-46  |
      | an underscore in its name | UPLOAD_TYPE: segment                                    | Z-46  |
      | signs in its name         | X!#$%&'*+^`\|~: 1                                       | Z-46  |
      | an empty value            | X-Empty:                                                | Z-46  |
      | quotes and blanks         | X-Field: "a  \\\\"b" ; c="\\t" , d                      | Z-46  |
      | bytes of UTF-8            | Content-Disposition: inline; filename="\\xe4\\xb8\\xad" | Z-102 |
      | bytes of Latin-1          | X-City: S\\xe3o Paulo                                   | Z-102 |

  Scenario Outline: a response with <number> fields arrives or is refused
    Given cell_us1 responds to "/acme/things" with:
      """
      200
      Content-Type: text/plain
      {<number> fields}

      hello
      """
    When visitor sends raw bytes:
      """
      GET /acme/things HTTP/1.1
      {host and id}
      Connection: close

      """
    Then visitor gets a cell's response, or a refusal (Z-48)

    Examples:
      | number |
      | 60     |
      | 99     |
      | 140    |
      | 1100   |

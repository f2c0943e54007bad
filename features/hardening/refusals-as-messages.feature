@hardening @buffering @learning
Feature: Refusals as messages
  What a router responds itself is a message like others: its dates are in the one form that senders
  may write (RFC 9110 5.6.7).

  Background:
    Given the namespace "/acme" on cell_us1
    And the response timeout is 500 ms
    And a cold EU router

  Scenario Outline: the refusal of a request <fails> has valid dates
    Given cell_us1 <fault> "/acme/things"
    When visitor visits "/acme/things"
    Then the router refused the request (Z-35)
    And the refusal has its dates in the form that senders write (Z-120)

    Examples:
      | fails            | fault                                          |
      | without response | closes the connection instead of responding to |
      | that is late     | never responds to                              |

  Scenario Outline: the refusal of <what> has valid dates
    When visitor sends raw bytes:
      """
      <method> <target> HTTP/1.1
      {host and id}
      <field>
      Connection: close

      """
    Then the refusal has its dates in the form that senders write (Z-120)

    Examples:
      | what               | method  | target           | field                          |
      | a last TRACE       | TRACE   | /acme/things     | Max-Forwards: 0                |
      | a last OPTIONS     | OPTIONS | /acme/things     | Max-Forwards: 0                |
      | a tunnel           | CONNECT | evil.example:443 | Accept: */*                    |
      | two hosts          | GET     | /acme/things     | Host: evil.example             |
      | an unknown coding  | POST    | /acme/things     | Transfer-Encoding: conformance |
      | a malformed target | GET     | acme/things      | Accept: */*                    |

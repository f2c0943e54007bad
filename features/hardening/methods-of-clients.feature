@hardening @buffering @learning
Feature: Methods of every client
  Which cell gets a request depends on its target. A router needs no list of methods: WebDAV,
  Terraform (LOCK) and clients of the future use others than browsers do, and a browser sends an
  OPTIONS ahead of a request to another site.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:buffering/changes:item-5 @doc:routes-learning/changes:item-5
  Scenario Outline: an OPTIONS that a browser sends ahead reaches the owner
    Given visitor visited "<known>"
    When visitor sends:
      """
      OPTIONS /acme/things
      Access-Control-Request-Headers: private-token
      Access-Control-Request-Method: PUT
      Origin: https://pages.example

      """
    Then visitor gets the response of cell_us1 (RT-01)

    Examples:
      | case | known        |
      | cold | /            |
      | warm | /acme/before |

  Scenario Outline: a method that few clients use reaches the owner
    Given visitor visited "<known>"
    When visitor sends <method> "/acme/things"
    Then visitor gets the response of cell_us1 (Z-98)
    And every copy of the request carried the same method, target and body (Z-98)

    Examples:
      | case               | method   | known        |
      | WebDAV, cold       | PROPFIND | /            |
      | registered, warm   | LINK     | /acme/before |
      | unregistered, cold | INQUIRE  | /            |
      | unregistered, warm | INQUIRE  | /acme/before |

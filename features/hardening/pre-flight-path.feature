@hardening @learning
Feature: Encoding of the path in a pre-flight
  The router encodes the path so that decoding it once gives the path as the user sent it.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: path_info decoded once is the path that the user sent
    When visitor sends the target "<path>"
    Then the pre-flight asked about "<path>" with the method GET (Z-12)
    And there was one pre-flight (Z-12)
    And visitor gets the response of cell_us1 (Z-12)

    Examples:
      | kind                      | path                                       |
      | encoded slash             | /acme/a%2Fb                                |
      | doubly encoded slash      | /acme/%252F                                |
      | plus                      | /acme/a+b                                  |
      | encoded plus              | /acme/a%2Bb                                |
      | encoded space             | /acme/a%20b                                |
      | ampersand and parameter   | /acme/a&method=DELETE                      |
      | equals sign and semicolon | /acme/a=b;c                                |
      | encoded ampersand         | /acme/a%26b                                |
      | UTF-8                     | /acme/gr%C3%BC%C3%9Fe                      |
      | Latin-1                   | /acme/gr%FC%DFe                            |
      | empty segment             | /acme//b                                   |
      | trailing slash            | /acme/b/                                   |
      | capital letters           | /acme/ABCDEFGHIJKLMNOPQRSTUVWXYZ           |
      | small letters             | /acme/abcdefghijklmnopqrstuvwxyz           |
      | digits                    | /acme/0123456789                           |
      | all marks                 | /acme/-._~!$&'()*+,;=:@                    |
      | encoded marks             | /acme/%20%22%3C%3E%5B%5C%5D%5E%60%7B%7C%7D |

  Scenario Outline: path_info leaves the query out
    When visitor sends the target "<path>?<query>"
    Then the pre-flight asked about "<path>" with the method GET (Z-12)
    And the target "<path>?<query>" reached cell_us1 (Z-12)

    Examples:
      | kind                         | query                               | path         |
      | one parameter                | a=1                                 | /acme/things |
      | parameters of the pre-flight | path_info=/gitlab-org&method=DELETE | /acme/things |
      | slashes and question mark    | a=/b?c=%2F                          | /acme/a%2Fb  |

  Scenario: path_info of a project with an encoded slash in its path
    Given gabe is signed in
    When gabe sends the target "/api/v4/projects/gitlab-org%2Fgitlab"
    Then the pre-flight asked about "/api/v4/projects/gitlab-org%2Fgitlab" with the method GET (Z-12)
    And cell_us0 responded last (Z-12)

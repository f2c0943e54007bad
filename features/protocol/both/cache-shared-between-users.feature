@protocol @buffering @learning
Feature: Cache entries are shared between users
  Entries belong to the router, not to a user, a session, a browser or a connection.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  @doc:buffering/private-project:item-2 @doc:routes-learning/private-project:item-2
  Scenario Outline: users with a different <difference> share a cache entry
    When anna sends:
      """
      GET /acme/things
      <first>

      """
    And nina sends:
      """
      GET /acme/more
      <second>

      """
    Then the visit went straight to cell_us1 (CA-09)

    Examples:
      | difference      | first                                      | second                              |
      | connection      | X-Same: 1                                  | X-Same: 1                           |
      | token           | Private-Token: one                         | Private-Token: two                  |
      | browser         | User-Agent: Mozilla/5.0\nAccept: text/html | User-Agent: curl/8.5.0\nAccept: */* |
      | password        | Authorization: Basic YW5uYTpvbmU=          | Authorization: Basic bmluYTp0d28=   |
      | range           | Range: bytes=0-9                           | Range: bytes=10-19                  |
      | claimed address | X-Forwarded-For: 192.0.2.1                 | X-Forwarded-For: 192.0.2.2          |
      | origin          | Origin: https://one.example                | Origin: https://two.example         |

@protocol @capability:cookie-cache
Feature: Second-level cache in cookies
  If there are very many paths, a router may store routes in cookies of the user. A cold router
  that receives such a cookie reaches the right cell on the first request.

  Background:
    Given the namespace "/acme" on cell_us1
    And the second-level cache is enabled
    And a cold EU router

  @buffering @learning
  Rule: What a cookie carries

    @doc:buffering/cons:item-5 @doc:routes-learning/cons:item-5
    Scenario: a router cookie leads a cold router to the owner
      When anna visits "/acme/things"
      And the EU router restarts
      And anna visits "/acme/others"
      Then cell_us1 responded last (CA-15)
      And the last request reached exactly one cell (CA-15)
      And there was no pre-flight about "/acme/others" (CA-15)

    @doc:buffering/introduction @doc:buffering/pros:item-1 @doc:routes-learning/introduction @doc:routes-learning/pros:item-1
    Scenario: a cold router finds the owner without a router cookie
      When anna visits "/acme/things"
      And the EU router restarts
      And nina visits "/acme/others"
      Then cell_us1 responded last (RT-03)

    @doc:buffering/cons:item-5 @doc:routes-learning/cons:item-5
    Scenario Outline: a router cookie keeps one owner while it takes in another
      Given the namespace "/bravo" on cell_us0
      When visitor visits "/acme/things"
      And visitor visits "/bravo/things"
      And the EU router restarts
      And visitor visits "<path>"
      Then <owner> responded last (CA-15)
      And the last request reached exactly one cell (CA-15)

      Examples:
        | path          | owner    |
        | /acme/others  | cell_us1 |
        | /bravo/others | cell_us0 |

  @buffering
  Rule: A cookie that is wrong

    @doc:buffering/cons:item-5
    Scenario: a bounce corrects a router cookie
      Given visitor visited "/my-company/handbook"
      When the organization "my-organization" moves to cell_us1
      And the EU router restarts
      And visitor visits "/my-company/handbook"
      And the EU router restarts
      And visitor visits "/my-company/handbook"
      Then cell_us1 responded last (CA-15)
      And the last request reached exactly one cell (CA-15)

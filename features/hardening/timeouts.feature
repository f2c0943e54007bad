@hardening
Feature: Cells that say nothing, or take their time
  A cell may take as long as the topology says, and not much longer: then the user is told. What comes too late is
  nobody's response.

  Background:
    Given the cells and people of the documents
    And the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: Silence ends

    @buffering @learning @req:Z-35 @req:Z-16 @req:Z-17
    Scenario Outline: an owner that never responds
      Given a response may take 500 ms to begin
      And cell_us1 never responds to "/acme/things"
      When visitor sends <method> "/acme/things" with <bytes> random bytes
      Then the router refused the request (Z-35)
      And visitor had the response within 5000 ms (Z-16)
      And nothing was sent again (Z-17)

      Examples:
        | method | bytes |
        | GET    | 0     |
        | POST   | 4096  |

    @buffering @learning @req:Z-35 @req:Z-16 @req:Z-58
    Scenario: an owner that accepts connections and reads nothing
      Given a response may take 500 ms to begin
      And cell_us1 accepts connections and reads nothing
      When visitor visits "/acme/things"
      Then the router refused the request (Z-35)
      And the refusal names no cell (Z-58)
      And visitor had the response within 5000 ms (Z-16)

    @buffering @learning @req:Z-16
    Scenario: others do not wait
      Given visitor visited "/acme/before"
      And cell_us1 never responds to "/acme/things"
      When anna begins to visit "/acme/things"
      And nina begins to visit "/acme/things" as well
      And visitor visits "/acme/more"
      And visitor visits "/gitlab-org/gitlab"
      And cell_us1 goes down
      Then visitor gets the response of cell_us0 (Z-16)
      And visitor had the response within 4000 ms (Z-16)

    # A connection on which a response is still due must not serve the next request.
    @buffering @learning @req:RT-08
    @doc:buffering/pros:item-2 @doc:routes-learning/pros:item-2
    Scenario: what comes too late is nobody's response
      Given a response may take 1000 ms to begin
      And cell_us1 responds to "/acme/late" after 1400 ms
      When visitor visits "/acme/late"
      And visitor visits "/acme/things"
      And 500 ms pass
      And visitor visits "/acme/more"
      And anna visits "/acme/others"
      Then anna gets the response of cell_us1 (RT-08)
      And visitor gets the response of cell_us1 (RT-08)

  Rule: Patience lasts

    # Two thirds of the limit are over by then, and there is room for a slow machine.
    @buffering @learning @req:Z-24
    Scenario: a long poll that ends with nothing
      Given a response may take 3000 ms to begin
      And cell_us1 responds to "/acme/jobs/request" with:
        """
        204
        X-Gitlab-Last-Update: 5d41402a

        """
      And cell_us1 responds to "/acme/jobs/request" after 2000 ms
      When visitor sends POST "/acme/jobs/request" with 32 random bytes
      Then visitor gets the response of cell_us1 (Z-24)
      And visitor gets status 204 (Z-24)

    @buffering @learning @req:Z-24
    Scenario: a head that comes in pieces
      Given cell_us1 sends the head of its response to "/acme/things" in pieces, 60 ms apart
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-24)

    @buffering @learning @req:Z-25
    Scenario: a body that comes in pieces
      Given cell_us1 sends the body of its response to "/acme/things" in pieces, 60 ms apart
      When visitor visits "/acme/things"
      Then visitor gets the response of cell_us1 (Z-25)

    @buffering @req:Z-24
    Scenario: a bounce that comes late and in pieces
      Given cell_eu0 sends the head of its response to "/acme/things" in pieces, 60 ms apart
      And cell_eu1 sends the head of its response to "/acme/things" in pieces, 60 ms apart
      When visitor sends POST "/acme/things" with 4096 random bytes
      Then visitor gets the response of cell_us1 (Z-24)
      And the cell received the body whole (Z-24)

@hardening @buffering @learning
Feature: Connections that users share
  Behind a TLS terminator or a load balancer, requests of many people arrive on one connection. A
  server must not take two requests of one connection for those of one user (RFC 9110 3.3). What
  one request says, who sent it, and how it ended means nothing for the next. A router may close
  the connection after any response; whoever is unanswered then speaks on another.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Rule: One request at a time

    Scenario Outline: users in turns keep their cookies to themselves
      Given anna is signed in
      And nina is signed in
      And visitor visited "<known>"
      When several users share a connection, in turns:
        """
        anna sends GET /my-company/my-project
        visitor sends GET /my-company/my-project
        nina sends GET /not-my-company/not-my-project
        visitor sends GET /not-my-company/not-my-project
        anna sends GET /not-my-company/not-my-project
        """
      Then each request reached cells as its user sent it (Z-96)
      And each user on the connection got the response to their own request (Z-43)

      Examples:
        | cache | known                         |
        | cold  | /                             |
        | warm  | /my-company/my-other-project  |

    Scenario: users in turns keep their tokens to themselves
      When several users share a connection, in turns:
        """
        anna sends GET /api/v4/projects/5001
        Private-Token: glpat-anna
        visitor sends GET /api/v4/projects/5001
        nina sends GET /api/v4/projects/5101
        Authorization: Bearer glpat-nina
        visitor sends GET /api/v4/projects/5101
        anna sends GET /api/v4/projects/5001
        Private-Token: glpat-anna
        """
      Then each request reached cells as its user sent it (Z-96)
      And each user on the connection got the response to their own request (Z-43)

    Scenario: users in turns keep methods, queries, fields and bodies to themselves
      When several users share a connection, in turns:
        """
        anna sends POST /acme/one?a=1
        Content-Type: text/plain
        X-Gitlab-Trace: first
        If-Match: "1"

        from anna
        nina sends GET /acme/two
        visitor sends DELETE /gitlab-org/three
        anna sends PUT /gitlab-org/four
        Content-Type: application/json

        {"of":"anna"}
        nina sends POST /acme/five
        visitor sends GET /gitlab-org/six?a=
        """
      Then each request reached cells as its user sent it (Z-96)
      And each user on the connection got the response to their own request (Z-43)

    @buffering
    Scenario: users in turns may each send a body within the limit
      Given the body buffer limit is 65536 bytes
      When several users share a connection, in turns:
        """
        anna sends POST /acme/one

        {40000 bytes}
        nina sends PUT /acme/two

        {50000 bytes}
        visitor sends POST /gitlab-org/three

        {60000 bytes}
        """
      Then each request reached cells as its user sent it (Z-96)
      And each user on the connection got the response to their own request (Z-96)

    Scenario: a refused request spoils nothing for the next user
      Given cell_us1 closes the connection instead of responding to "/acme/broken"
      When several users share a connection, in turns:
        """
        anna sends POST /acme/broken
        Authorization: Bearer glpat-anna

        from anna
        nina sends GET /acme/two
        """
      Then each request reached cells as its user sent it (Z-96)
      And nina gets the response of cell_us1 (Z-96)

  Rule: Pipelined requests

    Scenario: pipelined requests of several users stay apart
      Given anna is signed in
      And nina is signed in
      When several users share a connection, pipelining:
        """
        anna sends GET /my-company/my-project?of=anna
        visitor sends GET /not-my-company/not-my-project
        nina sends GET /not-my-company/not-my-project
        visitor sends GET /my-company/my-project
        anna sends GET /my-company/my-other-project
        """
      Then each request reached cells as its user sent it (Z-96)
      And each user on the connection got the response to their own request (Z-43)

    Scenario: pipelined uploads of several users stay apart
      When several users share a connection, pipelining:
        """
        anna sends POST /acme/one?a=1
        Content-Type: text/plain
        Private-Token: glpat-anna

        from anna
        nina sends DELETE /acme/two
        visitor sends PUT /gitlab-org/three
        Content-Type: application/json

        {"of":"visitor"}
        anna sends GET /acme/four
        """
      Then each request reached cells as its user sent it (Z-96)
      And each user on the connection got the response to their own request (Z-43)

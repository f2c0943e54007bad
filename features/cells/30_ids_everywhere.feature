@cells
Feature: Ids whatever the strategy (database sequences, 3)
  The four strategies differ in what carries an id to its cell. These scenarios hold for each.

  @buffering
  Rule: Unique ids

    @doc:buffering/unique-ids @doc:routes-learning/unique-ids @doc:database-sequences/proposal
    Scenario Outline: creations at the same time never share an id
      Given <strategy>
      When every cell inserts 25 rows into "namespaces" at once
      And every cell inserts 25 rows into "projects" at once
      Then 100 ids of "namespaces" were drawn, none twice (ID-01)
      And 100 ids of "projects" were drawn, none twice (ID-06)

      Examples:
        | strategy                             |
        | rows have UUIDs beside their numbers |
        | ids carry the number of their cell   |
        | cells draw ids from ranges of 10     |
        | only top-level rows have unique ids  |

    @doc:database-sequences/introduction
    Scenario Outline: an id that a shared schema refers to names one row
      Given <strategy>
      When every cell inserts 25 rows into "users" at once
      Then 100 ids of "users" were drawn, none twice (ID-04)
      And 100 ids of "users" were drawn, none twice (ID-03)

      Examples:
        | strategy                             |
        | rows have UUIDs beside their numbers |
        | ids carry the number of their cell   |
        | cells draw ids from ranges of 10     |
        | only top-level rows have unique ids  |

  @buffering @learning
  Rule: Moved projects

    @doc:buffering/unique-ids @doc:routes-learning/unique-ids
    Scenario Outline: a moved <row> is found by its id
      Given <strategy>
      And anna is signed in
      And a cold <region> router
      When the organization "my-organization" moves to cell_us1
      And anna visits "/api/v4/<row>s/<id>"
      Then anna gets status 200 (ID-02)
      And cell_us1 responded last (ID-02)

      Examples:
        | strategy                             | region | row     | id   |
        | rows have UUIDs beside their numbers | EU     | project | 5001 |
        | rows have UUIDs beside their numbers | EU     | group   | 4001 |
        | ids carry the number of their cell   | EU     | project | 5001 |
        | ids carry the number of their cell   | EU     | group   | 4001 |
        | cells draw ids from ranges of 10     | EU     | project | 5001 |
        | cells draw ids from ranges of 10     | EU     | group   | 4001 |
        | only top-level rows have unique ids  | EU     | project | 5001 |
        | only top-level rows have unique ids  | EU     | group   | 4001 |
        | rows have UUIDs beside their numbers | US     | project | 5001 |
        | ids carry the number of their cell   | US     | project | 5001 |
        | cells draw ids from ranges of 10     | US     | project | 5001 |
        | only top-level rows have unique ids  | US     | project | 5001 |

  @learning
  Rule: Projects created by path alone

    @doc:routes-learning/unique-ids
    Scenario: a project is created below the id of its group
      Given anna is signed in
      And a cold US router
      When anna sends POST "/api/v4/groups/4001/projects" with the JSON '{"path": "by-path"}'
      Then anna gets the record with the "path_with_namespace" "my-company/by-path" (ID-02)
      And cell_eu0 responded last (LN-11)

  @buffering
  Rule: Projects created by body

    @doc:buffering/unique-ids
    Scenario: a project is created where the namespace of the body is
      Given anna is signed in
      And a cold US router
      When anna sends POST "/api/v4/projects" with the JSON '{"namespace_id": 4001, "path": "by-body"}'
      Then anna gets the record with the "path_with_namespace" "my-company/by-body" (ID-02)
      And cell_eu0 responded last (BF-07)

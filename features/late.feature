Feature: Late in the life of a router
  A router lives for weeks. Users leave, cells break off, entries come, connections are kept, and
  somebody waits. The next request is served as the first one was. Its cache is not full: a router may
  remember nothing more then.

  A scenario with the tag @late is played twice: as it stands, and on a router that has first lived
  through this. It is part of the setup then, so a drawing begins after it.

  Scenario: users leave, cells break off, entries come, and somebody waits
    Given the namespace "/late" on cell_us1
    And the namespace "/late/inner" on cell_eu1
    And 24 paths with different prefixes
    And cell_us1 holds its response to "/late/a/b/held"
    And cell_us1 closes the connection instead of responding to "/late/a/b/broken", once
    And cell_us1 resets the connection within the body of its response to "/late/a/b/torn", once
    And cell_us1 responds to "/late/a/b/big" with 300000 bytes
    When nina visits "/late/a/b/first"
    And gabe starts to visit "/late/a/b/held"
    And nina starts to visit "/late/a/b/held"
    And nina leaves
    And nina sends POST "/late/a/b/broken" with 300 random bytes
    And olga visits "/late/a/b/torn"
    And visitor visits 24 paths with different cold prefixes
    And nina visits "/late/a/b/big"
    And olga sends PUT "/late/inner/a" with 70000 random bytes in chunks
    And anna sends HEAD "/late/inner/a%20b/c?of=%2F"
    And visitor sends DELETE "/late/a/b/second"

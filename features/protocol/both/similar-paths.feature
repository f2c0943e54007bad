@protocol
Feature: Paths with similar names
  Paths are compared byte by byte, in whole segments. A router with another comparison takes each
  pair of names here for the same. Names that RFC 3986 calls equivalent, such as `%61` and `a`,
  are not among them.

  Background:
    Given a cold EU router

  @doc:buffering/changes:item-7
  Rule: Cached prefixes

    @buffering @learning @doc:routes-learning/project-signed-in:item-5
    Scenario Outline: a prefix does not cover a path that differs in <difference>
      Given the namespace "<known>" on cell_us1
      And the namespace "<other>" on cell_us0
      And visitor visited "<known>/things"
      When visitor sends the target "<other>/things"
      Then the visit went to cell_us0 as on a cold cache (buffering CA-06, learning CA-07)

      Examples:
        | difference              | known                                                                                                                                                                                                                                                                                                     | other                                                                                                                                                                                                                                                                                                     |
        | the case of a letter    | /acme                                                                                                                                                                                                                                                                                                     | /Acme                                                                                                                                                                                                                                                                                                     |
        | the character at a dot  | /a.me                                                                                                                                                                                                                                                                                                     | /acme                                                                                                                                                                                                                                                                                                     |
        | the character at a star | /a*me                                                                                                                                                                                                                                                                                                     | /acme                                                                                                                                                                                                                                                                                                     |
        | a path parameter        | /acme                                                                                                                                                                                                                                                                                                     | /acme;v=1                                                                                                                                                                                                                                                                                                 |
        | the order of letters    | /acme                                                                                                                                                                                                                                                                                                     | /emca                                                                                                                                                                                                                                                                                                     |
        | its first segment       | /acme                                                                                                                                                                                                                                                                                                     | /other/acme                                                                                                                                                                                                                                                                                               |
        | a hyphen at its end     | /acme                                                                                                                                                                                                                                                                                                     | /acme-2                                                                                                                                                                                                                                                                                                   |
        | a digit at its end      | /acme                                                                                                                                                                                                                                                                                                     | /acme2                                                                                                                                                                                                                                                                                                    |
        | a letter less           | /acme                                                                                                                                                                                                                                                                                                     | /acm                                                                                                                                                                                                                                                                                                      |
        | its last byte           | /acme/long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-1 | /acme/long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-long-name-2 |

    @buffering @learning @doc:routes-learning/project-signed-in:item-5
    Scenario Outline: a prefix does not cover a path with <other sign>
      Who decodes, composes or trims paths before they are compared takes each two for one place. None
      of these escapes is one of an unreserved character.
      Given the namespace "<known>" on cell_us1
      And the namespace "<other>" on cell_us0
      And visitor visited "<known>/things"
      When visitor sends the target "<other>/things"
      Then the visit went to cell_us0 as on a cold cache (buffering CA-06, learning CA-07)

      Examples:
        | other sign                 | known      | other         |
        | an escape for its plus     | /a+me      | /a%2Bme       |
        | an escape for its at sign  | /a@me      | /a%40me       |
        | a plus for its blank       | /a%20me    | /a+me         |
        | another form of its accent | /caf%C3%A9 | /cafe%CC%81   |
        | an umlaut in another case  | /%C3%84cme | /%C3%A4cme    |
        | another invalid byte       | /acme%FE   | /acme%FF      |
        | a backslash for a slash    | /acme      | /acme%5Cthree |
        | a dot at its end           | /acme      | /acme.        |
        | a suffix                   | /acme      | /acme.git     |

    @buffering
    Scenario Outline: a prefix does not cover a page whose last segment differs in <difference>
      The page is one of the outer group, and has no group of its own.
      Given the namespace "/acme" on cell_us1
      And the namespace "/acme/<group>" on cell_us0
      And visitor visited "/acme/<group>/things"
      And visitor visited "/acme/things"
      When visitor sends the target "/acme/page"
      Then the visit went straight to cell_us1 (CA-06)

      Examples:
        | difference          | group     |
        | its last letter     | pagf      |
        | its second half     | pa        |
        | how often it stands | pagepage  |
        | all of its letters  | x         |
        | what is below it    | page/acme |

    @buffering @learning @doc:routes-learning/other-project:item-2
    Scenario Outline: a prefix with <sign> covers itself
      Given the namespace "<known>" on cell_us1
      And visitor visited "<known>/things"
      When visitor sends the target "<known>/more"
      Then the visit went straight to cell_us1 (buffering CA-03, learning CA-08)

      Examples:
        | sign          | known   |
        | a hyphen      | /ac-me  |
        | a plus        | /a+me   |
        | a parenthesis | /a(me   |
        | an escape     | /100%25 |
        | a colon       | /a:me   |

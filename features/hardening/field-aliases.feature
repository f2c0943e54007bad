@hardening @buffering @learning
Feature: Field names with underscores
  Applications that read fields as variables of CGI take an underscore for a hyphen. A field that
  a user must not send does not pass in that spelling. A router may also refuse the request.

  Background:
    Given the namespace "/acme" on cell_us1
    And a cold EU router

  Scenario Outline: a field with underscores for hyphens reaches no cell
    When visitor sends:
      """
      GET /acme/things
      <field>: <value>

      """
    Then no cell received the field "<field>" (Z-83)
    And visitor gets status 200, 400 (Z-83)

    Examples:
      | field                  | value                     |
      | X_Gitlab_Cell_Cache    | {path_prefix:/gitlab-org} |
      | X_Gitlab_Cell_Redirect | {cell:Cell US0}           |
      | X-Gitlab_Cell-Cache    | {path_prefix:/gitlab-org} |
      | X_Forwarded_For        | 10.9.8.7                  |
      | X_Forwarded_Host       | evil.example              |
      | Content_Length         | 5                         |

package import Database

extension Desk {
  package static let migrations = MigrationList(
    "desk",
    [
      Migration(
        "shelf-and-intents",
        [
          """
          CREATE TABLE desk_intent (
            id \(.countedKey), account \(.text) NOT NULL, item \(.text) NOT NULL,
            verb \(.text) NOT NULL, attempt \(.text) NOT NULL, state \(.text) NOT NULL,
            before_until \(.integer), before_hold \(.boolean) NOT NULL, reason \(.text),
            request \(.text) NOT NULL, written_at \(.integer) NOT NULL,
            arrives_until \(.integer) NOT NULL, turn \(.integer) NOT NULL,
            settled_at \(.integer), settled_turn \(.integer), UNIQUE (account, attempt)
          )\(.strictTable)
          """,
          "CREATE INDEX desk_intent_open ON desk_intent (account) WHERE state = 'open'",
          "CREATE INDEX desk_intent_settled ON desk_intent (account, settled_at)",
          "CREATE INDEX desk_intent_turn ON desk_intent (account, settled_turn)",
          """
          CREATE TABLE desk_loan (
            account \(.text) NOT NULL, item \(.text) NOT NULL, since \(.integer),
            until \(.integer), locked \(.text), formats \(.text) NOT NULL,
            renewable \(.boolean) NOT NULL, returnable \(.boolean) NOT NULL, title \(.text),
            authors \(.text) NOT NULL, as_of \(.integer) NOT NULL, PRIMARY KEY (account, item)
          )\(.strictTable)
          """,
          """
          CREATE TABLE desk_hold (
            account \(.text) NOT NULL, item \(.text) NOT NULL, since \(.integer),
            status \(.text) NOT NULL, place \(.integer), total \(.integer), until \(.integer),
            pickup \(.text), title \(.text), authors \(.text) NOT NULL,
            as_of \(.integer) NOT NULL, PRIMARY KEY (account, item)
          )\(.strictTable)
          """,
          """
          CREATE TABLE desk_account (
            account \(.text) PRIMARY KEY, good_at \(.integer), tried_at \(.integer) NOT NULL,
            trouble \(.text)
          )\(.strictTable)
          """,
          """
          CREATE TABLE desk_turn (
            account \(.text) PRIMARY KEY, turn \(.integer) NOT NULL, believed \(.integer) NOT NULL
          )\(.strictTable)
          """,
        ]),
      Migration("loan-keys", ["ALTER TABLE desk_loan ADD COLUMN keys \(.blob)"]),
      Migration("pacing", pacingTables),
      Migration("names-of-branches", ["ALTER TABLE desk_hold ADD COLUMN pickup_name \(.text)"]),
      Migration(
        "runs-of-machines",
        [
          "ALTER TABLE desk_intent ADD COLUMN run \(.text)",
          "ALTER TABLE desk_intent ADD COLUMN arrives_until_age \(.integer) NOT NULL DEFAULT 0",
          "ALTER TABLE desk_intent ADD COLUMN settled_run \(.text)",
          "ALTER TABLE desk_intent ADD COLUMN settled_age \(.integer)",
        ]),
      Migration("ends-of-loans", ["CREATE INDEX desk_loan_until ON desk_loan (until)"]),
      // What a reader took that is free to all: the library's own shelf does not know of it.
      Migration(
        "taken-loans",
        ["ALTER TABLE desk_loan ADD COLUMN taken \(.integer) NOT NULL DEFAULT 0"]),
      Migration("owners-of-commands", ["ALTER TABLE desk_intent ADD COLUMN process \(.text)"]),
      Migration(
        "repeated-commands",
        ["CREATE INDEX desk_intent_repeated ON desk_intent (account) WHERE reason = 'repeated'"]),
    ])
}

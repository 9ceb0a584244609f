package import Database

extension Notices {
  package static let migrations = MigrationList(
    "notices",
    [
      Migration("channels-facts-and-sendings", channels + facts + sendings),
      // The session of the browser that a push channel belongs to; null for those of before.
      Migration(
        "push-of-sessions", ["ALTER TABLE notice_channel ADD COLUMN session \(.text)"]),
      // Channels of before have been receiving, and stay confirmed.
      Migration(
        "confirmed-channels",
        [
          "ALTER TABLE notice_channel ADD COLUMN confirmed_at \(.integer)",
          "ALTER TABLE notice_channel ADD COLUMN code \(.blob)",
          "ALTER TABLE notice_channel ADD COLUMN code_until \(.integer)",
          "ALTER TABLE notice_channel ADD COLUMN code_tries \(.integer)",
          "UPDATE notice_channel SET confirmed_at = made_at",
        ]),
      Migration("short-messages-by-day", ShortMessageDay.table),
    ])

  /// Sealed keys of the gateway itself stand in a table of one row.
  private static var channels: [SQL] {
    [
      """
      CREATE TABLE notice_channel (
        id \(.countedKey), patron \(.text) NOT NULL, folded_name \(.text) NOT NULL,
        name \(.text) NOT NULL, medium \(.text) NOT NULL, shown \(.text) NOT NULL,
        sealed \(.blob) NOT NULL, kinds \(.text) NOT NULL, quiet_start \(.integer),
        quiet_end \(.integer), digest \(.integer), zone \(.text), tells_titles \(.boolean) NOT NULL,
        made_at \(.integer) NOT NULL, failing_since \(.integer), off_because \(.text),
        UNIQUE (patron, folded_name))\(.strictTable)
      """,
      """
      CREATE TABLE notice_key (
        id \(.integer) PRIMARY KEY CHECK (id = 1), sealed \(.blob) NOT NULL)\(.strictTable)
      """,
    ]
  }

  /// One row for what is so: the inbox. The unique key is what makes a fact be told once.
  private static var facts: [SQL] {
    [
      """
      CREATE TABLE notice_fact (
        id \(.countedKey), patron \(.text) NOT NULL, kind \(.text) NOT NULL,
        subject \(.text) NOT NULL, change \(.text) NOT NULL, matter \(.text) NOT NULL,
        until \(.integer), told_at \(.integer) NOT NULL, read_at \(.integer),
        UNIQUE (patron, kind, subject, change))\(.strictTable)
      """,
      "CREATE INDEX notice_fact_told ON notice_fact (told_at)",
    ]
  }

  /// One row for a fact and a channel. `batch` names what goes out together: the first row of it.
  private static var sendings: [SQL] {
    [
      """
      CREATE TABLE notice_sending (
        id \(.countedKey), fact \(.integer) NOT NULL, channel \(.integer) NOT NULL,
        state \(.text) NOT NULL, not_before \(.integer) NOT NULL, give_up_at \(.integer) NOT NULL,
        batch \(.integer), turn \(.integer) NOT NULL, leased_until \(.integer),
        settled_at \(.integer), note \(.text), UNIQUE (fact, channel))\(.strictTable)
      """,
      "CREATE INDEX notice_sending_open ON notice_sending (state, not_before)",
      "CREATE INDEX notice_sending_channel ON notice_sending (channel)",
    ]
  }
}

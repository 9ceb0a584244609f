package import Database

extension DownloadQueue {
  /// A ticket has one row from the first wish to the end of the loan. The place is counted and is no
  /// time: a clock that was set back must let nobody jump the line. No address is in any table.
  package static let migrations = MigrationList(
    "downloads",
    [
      Migration(
        "tickets-and-files",
        [
          """
          CREATE TABLE download (
            id \(.countedKey), patron \(.text) NOT NULL, account \(.text) NOT NULL,
            item \(.text) NOT NULL, library \(.text) NOT NULL, title \(.text) NOT NULL,
            authors \(.text) NOT NULL, format \(.text), content \(.text), protection \(.text),
            locks_loan \(.boolean) NOT NULL, open_access \(.boolean) NOT NULL, until \(.integer),
            state \(.text) NOT NULL, reason \(.text), tries \(.integer) NOT NULL,
            next_at \(.integer), received \(.integer) NOT NULL, total \(.integer),
            digest \(.text), place \(.integer) NOT NULL, owner \(.text), lease \(.integer),
            asked_at \(.integer) NOT NULL, changed_at \(.integer) NOT NULL,
            UNIQUE (patron, account, item)
          )\(.strictTable)
          """,
          """
          CREATE INDEX download_line ON download (place)
          WHERE state = 'queued' OR state = 'failed' AND next_at IS NOT NULL
          """,
          "CREATE INDEX download_running ON download (place) WHERE state = 'running'",
          "CREATE INDEX download_place ON download (place)",
          "CREATE INDEX download_loan ON download (account, item)",
          "CREATE INDEX download_digest ON download (digest)",
          """
          CREATE TABLE book_file (
            digest \(.text) PRIMARY KEY, size \(.integer) NOT NULL, kind \(.text) NOT NULL,
            open_access \(.boolean) NOT NULL, stored_at \(.integer) NOT NULL,
            opened_at \(.integer)
          )\(.strictTable)
          """,
          """
          CREATE TABLE book_holder (
            patron \(.text) NOT NULL, account \(.text) NOT NULL, item \(.text) NOT NULL,
            digest \(.text) NOT NULL REFERENCES book_file (digest), title \(.text) NOT NULL,
            authors \(.text) NOT NULL, until \(.integer), stored_at \(.integer) NOT NULL,
            PRIMARY KEY (patron, account, item)
          )\(.strictTable)
          """,
          "CREATE INDEX book_holder_digest ON book_holder (digest)",
          "CREATE INDEX book_holder_loan ON book_holder (account, item)",
        ]),
      // What a scanner said of it; null where there was none.
      Migration("scans", ["ALTER TABLE book_file ADD COLUMN examined \(.text)"]),
    ])
}

package import Database

extension Wishes {
  /// A list of a reader's is a wish list by a row here, and each book on it a wish: named by the list
  /// and the book's word there, so that whoever fills lists needs to know nothing of wishes.
  package static let migrations = MigrationList(
    "wishes",
    [
      Migration(
        "make-tables",
        [
          """
          CREATE TABLE wish_list (
            list \(.text) PRIMARY KEY, patron \(.text) NOT NULL, rule \(.text) NOT NULL,
            marked_at \(.integer) NOT NULL)\(.strictTable)
          """,
          "CREATE INDEX wish_list_patron ON wish_list (patron)",
          // The book as it was when it was recognized: another one is asked about again.
          // `turn` counts how often it could be had, `done_turn` which of these was dealt with.
          """
          CREATE TABLE wish (
            id \(.text) PRIMARY KEY, list \(.text) NOT NULL, member \(.text) NOT NULL,
            patron \(.text) NOT NULL, title \(.text) NOT NULL, authors \(.text) NOT NULL,
            isbns \(.text) NOT NULL, given \(.text), rule \(.text),
            match \(.text) NOT NULL, work \(.text), choices \(.text) NOT NULL,
            decided \(.integer) NOT NULL, stamp \(.text) NOT NULL,
            state \(.text) NOT NULL, seen_at \(.integer), since \(.integer),
            turn \(.integer) NOT NULL, done_turn \(.integer) NOT NULL, told_at \(.integer),
            deed \(.text), deed_at \(.integer), version \(.integer) NOT NULL,
            UNIQUE (list, member))\(.strictTable)
          """,
          "CREATE INDEX wish_patron ON wish (patron)",
          "CREATE INDEX wish_work ON wish (work)",
          // When a library is asked next: `not_before` for what was heard before, `news_not_before`
          // for what nobody asked it yet.
          """
          CREATE TABLE wish_library (
            library \(.text) PRIMARY KEY, asked_at \(.integer), not_before \(.integer) NOT NULL,
            news_not_before \(.integer) NOT NULL, turn \(.integer) NOT NULL)\(.strictTable)
          """,
        ])
    ])
}

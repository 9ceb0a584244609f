package import Database

extension ReadingLists {
  /// A member has a word of its own beside the work, because a book may stand on a list before any
  /// library of the reader has it. What a mirrored list needs to know of the other side is about
  /// these two keys, and gets tables of its own.
  package static let migrations = MigrationList(
    "reading-lists",
    [
      Migration(
        "custom-lists",
        [
          """
          CREATE TABLE reading_list (
            id \(.text) PRIMARY KEY, patron \(.text) NOT NULL, name \(.text) NOT NULL,
            folded_name \(.text) NOT NULL, made_at \(.integer) NOT NULL,
            edited_at \(.integer) NOT NULL, version \(.integer) NOT NULL,
            UNIQUE (patron, folded_name))\(.strictTable)
          """,
          """
          CREATE TABLE reading_list_member (
            list \(.text) NOT NULL REFERENCES reading_list (id), id \(.text) NOT NULL,
            place \(.integer) NOT NULL, work \(.text), title \(.text) NOT NULL,
            authors \(.text) NOT NULL, isbns \(.text) NOT NULL, note \(.text),
            added_at \(.integer) NOT NULL, edited_at \(.integer) NOT NULL,
            version \(.integer) NOT NULL, PRIMARY KEY (list, id), UNIQUE (list, work)
          )\(.strictTable)
          """,
          "CREATE INDEX reading_list_order ON reading_list_member (list, place)",
          "CREATE INDEX reading_list_edited ON reading_list_member (list, edited_at)",
        ]),
      Migration(
        "sharing",
        [
          "ALTER TABLE reading_list ADD COLUMN sharing \(.text) NOT NULL DEFAULT 'private'",
          "ALTER TABLE reading_list ADD COLUMN curator \(.text)",
          """
          CREATE INDEX reading_list_shared ON reading_list (edited_at) WHERE sharing <> 'private'
          """,
        ]),
      Migration(
        "kept-entries", ["ALTER TABLE reading_list_member ADD COLUMN entry \(.text)"]),
      Migration("friends", ["ALTER TABLE reading_list ADD COLUMN friend \(.text)"]),
      Migration(
        "recognized",
        [
          """
          CREATE TABLE reading_list_match (
            list \(.text) NOT NULL, member \(.text) NOT NULL, word \(.text) NOT NULL,
            work \(.text), stamp \(.text) NOT NULL, PRIMARY KEY (list, member))\(.strictTable)
          """
        ]),
    ])
}

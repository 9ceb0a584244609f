package import Database

extension Mirrors {
  /// A mirrored list is a list like any other, with members like any other's; these tables keep what
  /// the other side has of it. What differs between the two is what somebody did since they agreed.
  package static let migrations = MigrationList(
    "mirrors",
    [
      Migration(
        "agreed",
        [
          """
          CREATE TABLE mirror_account (
            account \(.text) PRIMARY KEY, patron \(.text) NOT NULL, carries \(.text) NOT NULL,
            read_at \(.integer), whole_at \(.integer), busy_until \(.integer), holder \(.text),
            trouble \(.text), friends_at \(.integer)
          )\(.strictTable)
          """,
          """
          CREATE TABLE mirror_list (
            list \(.text) PRIMARY KEY, account \(.text) NOT NULL, remote \(.text) NOT NULL,
            name \(.text) NOT NULL, state \(.text), other_state \(.text),
            is_exclusive \(.boolean) NOT NULL, is_open \(.boolean) NOT NULL, count \(.integer),
            changed_at \(.integer), missed \(.integer) NOT NULL, UNIQUE (account, remote)
          )\(.strictTable)
          """,
          """
          CREATE TABLE mirror_book (
            account \(.text) NOT NULL, item \(.text) NOT NULL, told \(.text) NOT NULL,
            mine \(.text) NOT NULL, edited_at \(.integer), edits \(.text) NOT NULL,
            PRIMARY KEY (account, item)
          )\(.strictTable)
          """,
          """
          CREATE TABLE mirror_place (
            list \(.text) NOT NULL, item \(.text) NOT NULL, account \(.text) NOT NULL,
            member \(.text) NOT NULL, missed \(.integer) NOT NULL, is_agreed \(.boolean) NOT NULL,
            PRIMARY KEY (list, item)
          )\(.strictTable)
          """,
          "CREATE INDEX mirror_place_account ON mirror_place (account)",
          "CREATE INDEX mirror_place_member ON mirror_place (list, member)",
          """
          CREATE TABLE mirror_write (
            id \(.countedKey), account \(.text) NOT NULL, item \(.text) NOT NULL,
            title \(.text) NOT NULL, deed \(.text) NOT NULL, before \(.text) NOT NULL,
            wanted \(.text) NOT NULL, state \(.text) NOT NULL, note \(.text),
            at \(.integer) NOT NULL, ended_at \(.integer)
          )\(.strictTable)
          """,
          "CREATE INDEX mirror_write_account ON mirror_write (account, id)",
          """
          CREATE TABLE mirror_friend (
            list \(.text) PRIMARY KEY, account \(.text) NOT NULL, friend \(.text) NOT NULL,
            heard_at \(.integer) NOT NULL, UNIQUE (account, friend))\(.strictTable)
          """,
          """
          CREATE TABLE mirror_carried (
            account \(.text) NOT NULL, library \(.text) NOT NULL, item \(.text) NOT NULL,
            said \(.text) NOT NULL, outcome \(.text) NOT NULL, at \(.integer) NOT NULL,
            PRIMARY KEY (account, library, item)
          )\(.strictTable)
          """,
        ])
    ])
}

package import Database

extension MyBooks {
  package static let migrations = MigrationList(
    "books",
    [
      Migration(
        "states",
        [
          """
          CREATE TABLE book (
            id \(.countedKey), patron \(.text) NOT NULL, library \(.text) NOT NULL,
            item \(.text) NOT NULL, account \(.text), state \(.text) NOT NULL,
            since \(.integer) NOT NULL, until \(.integer), due \(.integer), dismissed \(.integer),
            title \(.text) NOT NULL, authors \(.text) NOT NULL, ignored \(.boolean) NOT NULL,
            UNIQUE (patron, library, item)
          )\(.strictTable)
          """,
          "CREATE INDEX book_due ON book (due) WHERE due IS NOT NULL",
          "CREATE INDEX book_account ON book (account) WHERE account IS NOT NULL",
          """
          CREATE TABLE book_verdict (
            patron \(.text) NOT NULL, library \(.text) NOT NULL, item \(.text) NOT NULL,
            title \(.text) NOT NULL, authors \(.text) NOT NULL, rating \(.integer),
            finished \(.text), said_at \(.integer) NOT NULL,
            PRIMARY KEY (patron, library, item)
          )\(.strictTable)
          """,
          """
          CREATE TABLE book_clock (
            library \(.text) PRIMARY KEY, ahead \(.integer) NOT NULL,
            heard_at \(.integer) NOT NULL
          )\(.strictTable)
          """,
        ])
    ])
}

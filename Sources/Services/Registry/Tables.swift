package import Database

extension Registry {
  package static var migrations: MigrationList {
    MigrationList(
      "registry",
      [
        Migration("patrons-and-accounts", people + secrets + audit + keys),
        Migration("devices", devices),
        Migration("calendars", calendars),
        Migration("passes", passes),
        Migration("operators", operators),
        Migration("members", members),
        Migration("attempts", FailedSignIns.table),
        // Passes of before may be kept under the plain name until they end.
        Migration(
          "guarded-passes",
          ["ALTER TABLE registry_pass ADD COLUMN guarded \(.boolean) NOT NULL DEFAULT FALSE"]),
        Migration("moments-of-attempts", FailedSignIns.tableOfMoments),
        Migration("second-factors", factors),
        // Those without a version were sealed under the vault's seed, until the next rotation.
        Migration(
          "factors-under-data-keys",
          ["ALTER TABLE registry_factor ADD COLUMN version \(.integer)"]),
        Migration("sessions-without-cards", SessionOrigin.migration),
        Migration("sign-in-links", SignInLink.migration),
        Migration("sign-in-ways", signInWays),
        Migration("audit-by-month", auditByMonth),
        Migration("attempts-by-client", FailedSignIns.tableWithClients),
        Migration("sign-in-places", KnownPlaces.table),
        Migration("sessions", PatronSession.migration),
        Migration("found-pins", FoundPINs.migration),
        Migration("failed-sign-ins-by-hour", SignInRate.table),
        Migration("sign-in-places-of-accounts", KnownPlaces.tableOfAccounts),
        Migration("named-catalogs", CatalogLimit.table),
      ])
  }

  private static var people: [SQL] {
    [
      """
      CREATE TABLE patron (
        id \(.text) PRIMARY KEY,
        name \(.text) NOT NULL UNIQUE,
        made_at \(.integer) NOT NULL)\(.strictTable)
      """,
      // The index of a card is missing where the account has none, and those never collide. The count
      // of versions stands here, so that a field which was removed and came back does not start again.
      """
      CREATE TABLE account (
        id \(.text) PRIMARY KEY,
        patron \(.text) NOT NULL REFERENCES patron (id),
        name \(.text) NOT NULL,
        folded_name \(.text) NOT NULL,
        provider \(.text) NOT NULL,
        library \(.text) NOT NULL,
        card_ending \(.text),
        card_index \(.blob),
        version \(.integer) NOT NULL,
        status \(.text) NOT NULL,
        linked_at \(.integer) NOT NULL,
        last_good_sync \(.integer),
        loan_limit \(.integer),
        hold_limit \(.integer),
        UNIQUE (patron, folded_name),
        UNIQUE (patron, provider, library, card_index))\(.strictTable)
      """,
    ]
  }

  private static var secrets: [SQL] {
    [
      """
      CREATE TABLE account_secret (
        account \(.text) NOT NULL REFERENCES account (id),
        field \(.text) NOT NULL,
        version \(.integer) NOT NULL,
        sealed \(.blob) NOT NULL,
        PRIMARY KEY (account, field))\(.strictTable)
      """
    ]
  }

  /// It refers to no other table: what was done with an account is still known when that is gone.
  private static var audit: [SQL] {
    [
      """
      CREATE TABLE registry_audit (
        number \(.countedKey),
        at \(.integer) NOT NULL,
        who \(.text) NOT NULL,
        account \(.text) NOT NULL,
        field \(.text) NOT NULL,
        action \(.text) NOT NULL,
        request \(.text) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX registry_audit_account ON registry_audit (account)",
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_stays BEFORE UPDATE ON registry_audit
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE FUNCTION registry_audit_refuse() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN RAISE EXCEPTION ''the audit is append-only''; END'
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_grows BEFORE DELETE ON registry_audit
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON registry_audit
          FOR EACH STATEMENT EXECUTE FUNCTION registry_audit_refuse()
          """),
    ]
  }

  /// Of a device's password only marks are kept, made with a key out of the vault. The index of card
  /// endings finds the accounts that a number given at the door may be of.
  private static var devices: [SQL] {
    [
      """
      CREATE TABLE registry_device (
        patron \(.text) NOT NULL REFERENCES patron (id),
        folded_name \(.text) NOT NULL,
        name \(.text) NOT NULL,
        scopes \(.text) NOT NULL,
        manner \(.text) NOT NULL,
        mark \(.blob) NOT NULL UNIQUE,
        sync_mark \(.blob) UNIQUE,
        made_at \(.integer) NOT NULL,
        last_used \(.integer),
        PRIMARY KEY (patron, folded_name))\(.strictTable)
      """,
      "CREATE INDEX account_card_ending ON account (card_ending)",
    ]
  }

  /// Of the secret in a calendar's address only a mark is kept.
  private static var calendars: [SQL] {
    [
      """
      CREATE TABLE registry_calendar (
        patron \(.text) PRIMARY KEY REFERENCES patron (id),
        mark \(.blob) NOT NULL UNIQUE,
        made_at \(.integer) NOT NULL,
        last_used \(.integer))\(.strictTable)
      """
    ]
  }

  /// Of a browser's pass only a mark is kept. It refers to no account: what an account leaves behind
  /// opens nothing, and goes when its time is over. The account is empty for a session without a card.
  private static var passes: [SQL] {
    [
      """
      CREATE TABLE registry_pass (
        mark \(.blob) PRIMARY KEY,
        patron \(.text) NOT NULL REFERENCES patron (id),
        account \(.text) NOT NULL,
        pin_version \(.integer) NOT NULL,
        made_at \(.integer) NOT NULL,
        until \(.integer) NOT NULL)\(.strictTable)
      """,
      "CREATE INDEX registry_pass_until ON registry_pass (until)",
    ]
  }

  /// Whom libraries know, by a mark of the library's own name for a reader.
  private static var members: [SQL] {
    [
      """
      CREATE TABLE registry_member (
        library \(.text) NOT NULL,
        mark \(.blob) NOT NULL,
        patron \(.text) NOT NULL REFERENCES patron (id),
        made_at \(.integer) NOT NULL,
        PRIMARY KEY (library, mark))\(.strictTable)
      """,
      "CREATE INDEX registry_member_patron ON registry_member (patron)",
    ]
  }

  private static var operators: [SQL] {
    [
      """
      CREATE TABLE registry_operator (
        patron \(.text) PRIMARY KEY REFERENCES patron (id),
        made_at \(.integer) NOT NULL)\(.strictTable)
      """
    ]
  }

  /// Retired keys are remembered, so that a gateway which has not heard of it seals nothing with them.
  private static var keys: [SQL] {
    [
      """
      CREATE TABLE vault_key_table (
        id \(.integer) PRIMARY KEY CHECK (id = 1),
        bytes \(.blob) NOT NULL)\(.strictTable)
      """,
      """
      CREATE TABLE vault_retired_key (
        vault \(.blob) NOT NULL,
        number \(.integer) NOT NULL,
        PRIMARY KEY (vault, number))\(.strictTable)
      """,
    ]
  }
}

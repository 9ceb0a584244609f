import Database

/// The tables of the audit log. Rows of people's actions and counts of what programs opened can only be
/// added, until the operator lets a month end; that is written down in the log itself, which keeps
/// the month in which it was done and all that are younger. An operator with the rights of the
/// database can take the triggers away; everyone else cannot go around them.
extension Registry {
  /// Openings by programs, counted for each card and month; and how long the log is kept. `months` is
  /// how many whole months before this one stay, and nothing when all do. Rows from before `ended`,
  /// which is always the first moment of a month in UTC, may go.
  static var auditByMonth: [SQL] {
    [
      """
      CREATE TABLE registry_audit_month (
        account \(.text) NOT NULL,
        month \(.integer) NOT NULL,
        who \(.text) NOT NULL,
        action \(.text) NOT NULL,
        reason \(.text) NOT NULL,
        fields \(.text) NOT NULL,
        times \(.integer) NOT NULL,
        first_at \(.integer) NOT NULL,
        last_at \(.integer) NOT NULL,
        PRIMARY KEY (account, month, who, action, reason, fields))\(.strictTable)
      """,
      """
      CREATE TABLE registry_audit_kept (
        id \(.integer) PRIMARY KEY CHECK (id = 1),
        months \(.integer) CHECK (months BETWEEN 1 AND 1200),
        ended \(.integer) NOT NULL)\(.strictTable)
      """,
      "INSERT INTO registry_audit_kept (id, months, ended) VALUES (1, NULL, 0)",
      .either(
        sqlite: "DROP TRIGGER registry_audit_grows",
        postgres: "DROP TRIGGER registry_audit_grows ON registry_audit"),
    ] + guards + ends
  }

  /// The first moment of the month that this moment lies in, both in milliseconds.
  static func month(of moment: Int64) -> SQL {
    let before: SQL = .either(
      sqlite: "1000 * CAST(strftime('%s', ",
      postgres: "1000 * CAST(extract(epoch FROM date_trunc('month', to_timestamp(")
    let after: SQL = .either(
      sqlite: ", 'unixepoch', 'start of month') AS INTEGER)",
      postgres: ") AT TIME ZONE 'UTC')) AS bigint)")
    return "\(before)\(moment / 1000)\(after)"
  }

  /// Before this moment everything may go when so many months are kept beside this one.
  static func end(keeping months: Int) -> SQL {
    let before: SQL = .either(
      sqlite: "1000 * CAST(strftime('%s', 'now', 'start of month', '-' || ",
      postgres: """
        1000 * CAST(extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC')
          - make_interval(months => CAST(
        """)
    let after: SQL = .either(
      sqlite: " || ' months') AS INTEGER)", postgres: " AS integer))) AS bigint)")
    return "\(before)\(months)\(after)"
  }

  /// What was written is neither changed nor deleted, and a count only grows. SQLite deletes a row
  /// that is replaced without asking its triggers, so there a key that exists is refused, too.
  private static var guards: [SQL] {
    [
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_grows BEFORE DELETE ON registry_audit
          WHEN OLD.at >= coalesce((SELECT ended FROM registry_audit_kept), 0)
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_grows BEFORE UPDATE OR TRUNCATE ON registry_audit
          FOR EACH STATEMENT EXECUTE FUNCTION registry_audit_refuse()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_once BEFORE INSERT ON registry_audit
          WHEN EXISTS (SELECT 1 FROM registry_audit WHERE number = NEW.number)
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE FUNCTION registry_audit_guard() RETURNS trigger LANGUAGE plpgsql AS
          'DECLARE moment bigint; BEGIN
            IF TG_TABLE_NAME = ''registry_audit'' THEN moment := OLD.at;
            ELSE moment := OLD.month; END IF;
            IF moment >= coalesce((SELECT ended FROM registry_audit_kept), 0) THEN
              RAISE EXCEPTION ''the audit is append-only''; END IF;
            RETURN OLD; END'
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_month_grows BEFORE DELETE ON registry_audit_month
          WHEN OLD.month >= coalesce((SELECT ended FROM registry_audit_kept), 0)
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_ends BEFORE DELETE ON registry_audit
          FOR EACH ROW EXECUTE FUNCTION registry_audit_guard()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_month_once BEFORE INSERT ON registry_audit_month
          WHEN EXISTS (SELECT 1 FROM registry_audit_month WHERE account = NEW.account
            AND month = NEW.month AND who = NEW.who AND action = NEW.action
            AND reason = NEW.reason AND fields = NEW.fields)
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_month_ends BEFORE DELETE ON registry_audit_month
          FOR EACH ROW EXECUTE FUNCTION registry_audit_guard()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_month_counts BEFORE UPDATE ON registry_audit_month
          WHEN NEW.times <= OLD.times OR NEW.first_at <> OLD.first_at OR NEW.account <> OLD.account
            OR NEW.month <> OLD.month OR NEW.who <> OLD.who OR NEW.action <> OLD.action
            OR NEW.reason <> OLD.reason OR NEW.fields <> OLD.fields
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE FUNCTION registry_audit_count() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN IF NEW.times <= OLD.times OR (NEW.first_at, NEW.account, NEW.month, NEW.who,
            NEW.action, NEW.reason, NEW.fields) IS DISTINCT FROM (OLD.first_at, OLD.account,
            OLD.month, OLD.who, OLD.action, OLD.reason, OLD.fields) THEN
              RAISE EXCEPTION ''the audit is append-only''; END IF;
            RETURN NEW; END'
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_kept_stays BEFORE DELETE ON registry_audit_kept
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_month_counts BEFORE UPDATE ON registry_audit_month
          FOR EACH ROW EXECUTE FUNCTION registry_audit_count()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_kept_once BEFORE INSERT ON registry_audit_kept
          BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_month_grows BEFORE TRUNCATE ON registry_audit_month
          FOR EACH STATEMENT EXECUTE FUNCTION registry_audit_refuse()
          """),
    ]
  }

  /// Months end from the oldest on, whole, and no younger than is kept. Both the new length and the
  /// end of months are noted in the log.
  private static var ends: [SQL] {
    [
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_kept_ends BEFORE UPDATE ON registry_audit_kept
          WHEN NEW.ended <> OLD.ended AND (NEW.ended < OLD.ended OR NEW.months IS NULL
            OR NEW.ended <> CAST(strftime('%s', NEW.ended / 1000, 'unixepoch', 'start of month')
              AS INTEGER) * 1000
            OR NEW.ended > 1000 * CAST(strftime('%s', 'now', 'start of month',
              '-' || NEW.months || ' months') AS INTEGER))
          BEGIN SELECT RAISE(ABORT, 'the audit is kept longer'); END
          """,
        postgres: """
          CREATE FUNCTION registry_audit_end() RETURNS trigger LANGUAGE plpgsql AS
          'DECLARE day timestamp; moment bigint; BEGIN
            moment := CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint);
            day := to_timestamp(NEW.ended / 1000) AT TIME ZONE ''UTC'';
            IF NEW.ended <> OLD.ended THEN
              IF NEW.ended < OLD.ended OR NEW.months IS NULL OR NEW.ended % 1000 <> 0
                OR day <> date_trunc(''month'', day)
                OR day > date_trunc(''month'', now() AT TIME ZONE ''UTC'')
                  - make_interval(months => CAST(NEW.months AS integer)) THEN
                RAISE EXCEPTION ''the audit is kept longer''; END IF;
              INSERT INTO registry_audit (at, who, account, field, action, request) VALUES
                (moment, ''settings'', ''office/audit'', to_char(day, ''YYYY-MM''), ''delete'', '''');
            END IF;
            IF NEW.months IS DISTINCT FROM OLD.months THEN
              INSERT INTO registry_audit (at, who, account, field, action, request) VALUES
                (moment, ''settings'', ''office/audit'',
                  coalesce(CAST(NEW.months AS text), ''all''), ''write'', '''');
            END IF;
            RETURN NEW; END'
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_kept_months AFTER UPDATE ON registry_audit_kept
          WHEN NEW.months IS NOT OLD.months
          BEGIN INSERT INTO registry_audit (at, who, account, field, action, request)
            VALUES (CAST(strftime('%s', 'now') AS INTEGER) * 1000, 'settings', 'office/audit',
              coalesce(CAST(NEW.months AS TEXT), 'all'), 'write', ''); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_kept_ends BEFORE UPDATE ON registry_audit_kept
          FOR EACH ROW EXECUTE FUNCTION registry_audit_end()
          """),
      .either(
        sqlite: """
          CREATE TRIGGER registry_audit_kept_deletes AFTER UPDATE ON registry_audit_kept
          WHEN NEW.ended <> OLD.ended
          BEGIN INSERT INTO registry_audit (at, who, account, field, action, request)
            VALUES (CAST(strftime('%s', 'now') AS INTEGER) * 1000, 'settings', 'office/audit',
              strftime('%Y-%m', NEW.ended / 1000, 'unixepoch'), 'delete', ''); END
          """,
        postgres: """
          CREATE TRIGGER registry_audit_kept_stays
          BEFORE INSERT OR DELETE OR TRUNCATE ON registry_audit_kept
          FOR EACH STATEMENT EXECUTE FUNCTION registry_audit_refuse()
          """),
    ]
  }
}

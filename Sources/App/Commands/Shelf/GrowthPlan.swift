import JSON

/// What a house of a certain size keeps, is asked and asks: sums over what one reader and one library
/// bring with them. The numbers of one are assumptions, told with the result, and may be given.
struct GrowthPlan {
  /// How rows lie on a database of several machines.
  enum Place: String {
    /// Beside all else of the same reader.
    case patron
    /// Whole on every machine: small, or asked for together with everything.
    case everywhere
    /// On one machine: counters and queues.
    case one
  }

  struct Line {
    let what: String
    let place: Place
    let rows: Int
    /// With its indexes, as measured on PostgreSQL 15.
    let bytesEach: Int
    /// The tables it is made of, each with the column that it is parted by.
    let tables: [String]

    var bytes: Int { rows * bytesEach }
  }

  /// What one of them brings.
  struct Habits {
    var cards = 1.2
    var loans = 3.0
    var holds = 4.0
    /// Books that were ever borrowed, saved or listed.
    var books = 40.0
    var listed = 30.0
    var notes = 20.0
    var notices = 25.0
    /// What a reader does in a year that the audit log writes down: signing in, linking a card,
    /// setting up an app; and how many years of it are kept.
    var audited = 40.0
    var auditYears = 2.0
    /// Rows that count the openings of one card's secrets in a month: for its library, and at sign-in.
    var openings = 1.6
    /// Readers who look in on a day, and how often each then asks for something.
    var activeShare = 0.1
    var requests = 40.0
    /// How much of a day's requests falls into its busiest hour.
    var peakShare = 0.12
    var titles = 30_000.0
    /// Titles that no other library of the house lists.
    var ownShare = 0.2
  }

  let libraries: Int
  let patrons: Int
  let syncSeconds: Double
  let harvestSeconds: Double
  /// What one gateway answers in a second, and one library in a day.
  let perGateway: Double
  var habits = Habits()

  var readers: Int { libraries * patrons }
  private func each(_ count: Double) -> Int { Int(Double(readers) * count) }

  private func line(
    _ what: String, _ place: Place, _ rows: Int, _ bytesEach: Int, _ tables: String
  ) -> Line {
    Line(
      what: what, place: place, rows: rows, bytesEach: bytesEach,
      tables: tables.split(separator: " ").map(String.init))
  }

  var editions: Int { Int(Double(libraries) * habits.titles) }
  var works: Int {
    Int(habits.titles + Double(max(0, libraries - 1)) * habits.titles * habits.ownShare)
  }

  /// Every table of the schema stands here once; a test holds this against the schema itself.
  var lines: [Line] {
    [
      line(
        "readers, cards, sealed secrets", .patron, each(1 + 4 * habits.cards), 360,
        """
        patron.id account.patron account_secret.account sign_in_pin.account registry_device.patron \
        sign_in_way.patron registry_calendar.patron registry_pass.patron sign_in_link.patron \
        registry_member.patron registry_naming.patron \
        registry_operator.patron registry_factor.patron registry_spare.patron \
        page_visit.patron profile_picture.patron profile_genre.patron \
        profile_feedback.patron profile_tongue.patron adobe_reader.patron license_key.patron \
        license_visit.patron slip.patron
        """),
      line(
        "loans and holds", .patron, each(habits.loans + habits.holds), 460,
        """
        desk_loan.account desk_hold.account desk_not_before.account desk_rest.account \
        desk_pace.patron
        """),
      line(
        "commands, turns and syncs", .patron, each(3 * habits.cards + habits.loans), 380,
        "desk_intent.account desk_turn.account desk_account.account"),
      line(
        "books in their states", .patron, each(habits.books), 390,
        "book.patron book_verdict.patron book_holder.patron download.patron"),
      line(
        "lists and wishes", .patron, each(habits.listed), 520,
        """
        reading_list.patron reading_list_member.list reading_list_match.list wish.patron \
        wish_list.patron mirror_account.account mirror_list.account mirror_book.account \
        mirror_place.account mirror_write.account mirror_friend.account mirror_carried.account
        """),
      line(
        "places, bookmarks, notes", .patron, each(habits.notes), 640,
        """
        reading_place.patron reading_document.patron \
        reading_annotation.patron reading_rating.patron reading_taste.patron
        """),
      line(
        "notices and sendings", .patron, each(2 * habits.notices), 330,
        "notice_fact.patron notice_channel.patron notice_sending.fact"),
      line(
        "editions with faces and words", .everywhere, 4 * editions, 1_100,
        """
        catalog_edition catalog_record catalog_face catalog_availability catalog_movement \
        catalog_words catalog_term catalog_unmatched
        """),
      line(
        "works, keys and kin", .everywhere, works + 6 * editions, 110,
        "catalog_work catalog_key catalog_kin catalog_ruling catalog_ruling_side catalog_inquiry"),
      line(
        "libraries, clocks, keys", .everywhere, 5 * libraries, 200,
        """
        catalog_library catalog_counter catalog_matching catalog_pulse book_clock wish_library \
        facade_key vault_key_table vault_retired_key notice_key license_device
        """),
      line("work that falls due", .one, each(1.1), 300, "schedule_job"),
      line("files of books by digest", .one, each(habits.loans), 180, "book_file"),
      line(
        "audit log", .one, each(habits.audited * habits.auditYears), 190,
        "registry_audit registry_audit_kept"),
      line(
        "openings of secrets, by month", .one,
        each(habits.cards * habits.openings * 12 * habits.auditYears), 290,
        "registry_audit_month"),
      line(
        "attempts at sign-in, activations", .one, 10 + each(habits.activeShare), 150,
        """
        registry_attempt sign_in_hour sign_in_place adobe_activation adobe_ended carrel_migration \
        gateway_fact gateway_earlier_address notice_sms_day
        """),
    ]
  }

  var rows: Int { lines.reduce(0) { $0 + $1.rows } }
  func bytes(_ place: Place) -> Int {
    lines.filter { $0.place == place }.reduce(0) { $0 + $1.bytes }
  }

  /// In a second of the busiest hour.
  var peakRequests: Double {
    Double(readers) * habits.activeShare * habits.requests * habits.peakShare / 3600
  }

  var gateways: Int { max(2, Int((peakRequests / perGateway).rounded(.up)) + 1) }

  /// Two questions to a card's library: what it has out, and what it waits for.
  var syncCalls: Double { Double(readers) * habits.cards * 2 * 86_400 / syncSeconds }
  var harvestCalls: Double { Double(libraries) * habits.titles / 300 * 86_400 / harvestSeconds }
  /// What readers have done at their libraries.
  var commandCalls: Double { Double(readers) * habits.activeShare * 1.5 }
  var callsPerDay: Double { syncCalls + harvestCalls + commandCalls }
  var callsPerLibrarySecond: Double { callsPerDay / Double(libraries) / 86_400 }

  var json: JSONValue {
    [
      "libraries": .integer(libraries), "patrons": .integer(readers), "rows": .integer(rows),
      "bytes_by_patron": .integer(bytes(.patron)),
      "bytes_everywhere": .integer(bytes(.everywhere)),
      "requests_per_second": .integer(Int(peakRequests.rounded(.up))),
      "gateways": .integer(gateways),
      "provider_calls_per_day": .integer(Int(callsPerDay)),
      "provider_calls_per_library_and_minute": .integer(
        Int((callsPerLibrarySecond * 60).rounded(.up))),
      "tables": .array(
        lines.map {
          [
            "what": .string($0.what), "place": .string($0.place.rawValue),
            "rows": .integer($0.rows), "bytes": .integer($0.bytes),
            "of": .array($0.tables.map { .string($0) }),
          ]
        }),
    ]
  }
}

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

  private func line(_ what: String, _ place: Place, _ rows: Int, _ bytesEach: Int) -> Line {
    Line(what: what, place: place, rows: rows, bytesEach: bytesEach)
  }

  var editions: Int { Int(Double(libraries) * habits.titles) }
  var works: Int {
    Int(habits.titles + Double(max(0, libraries - 1)) * habits.titles * habits.ownShare)
  }

  var lines: [Line] {
    [
      line("readers, cards, sealed secrets", .patron, each(1 + 3 * habits.cards), 420),
      line("loans and holds", .patron, each(habits.loans + habits.holds), 460),
      line("commands, turns and syncs", .patron, each(3 * habits.cards + habits.loans), 380),
      line("books in their states", .patron, each(habits.books), 390),
      line("lists and wishes", .patron, each(habits.listed), 520),
      line("places, bookmarks, notes", .patron, each(habits.notes), 640),
      line("notices and sendings", .patron, each(2 * habits.notices), 330),
      line("work that falls due", .patron, each(1.1), 300),
      line("editions with faces and words", .everywhere, 4 * editions, 1_100),
      line("works, keys and kin", .everywhere, works + 6 * editions, 110),
      line("libraries, clocks, keys", .everywhere, 5 * libraries, 200),
      line("counters and attempts at doors", .one, 10 + each(habits.activeShare * 0.02), 150),
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
          ]
        }),
    ]
  }
}

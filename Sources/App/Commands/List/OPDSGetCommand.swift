import Arguments
import Console
import Items
import Machine
import Setup
import TextSafety

struct OPDSGetCommand: Command {
  static let source = Argument(
    "source", Kind<String>.word.called("URL|FILE"), "A feed's address or file; - is the input.")

  static let spec = CommandSpec(
    "opds get", "Fetch one feed of a catalogue and print it.",
    discussion: """
      Reads OPDS 1.2 and 2.0 alike, and what is nearly either. Nothing is signed in to, borrowed or \
      kept.
      """,
    examples: [
      .init("carrel opds get https://books.example/opds", "What a catalogue begins with."),
      .init("carrel opds get feed.atom --json", "A file, for programs."),
    ],
    exits: [2, 6, 7, 8, 9, 13], parameters: [source])

  static let schemas = [
    ReportSchema(
      "feed", "One page of a catalogue.",
      [
        .init("kind", .string, "navigation or acquisition."),
        .init("id", .nullable(.string), "The feed's name for itself."),
        .init("title", .string, "Its title."),
        .init("updated", .nullable(.string), "When it last changed."),
        .init(
          "links",
          .list(
            .object([
              .init("rel", .list(.string), "What for."), .init("href", .string, "Where to."),
              .init("type", .nullable(.string), "The type of what is there."),
              .init("title", .nullable(.string), "A name for people."),
            ])), "Where it leads as a whole."),
        .init(
          "facets",
          .list(
            .object([
              .init("group", .string, "What is chosen among."),
              .init("title", .string, "The choice."), .init("href", .string, "Where to."),
              .init("active", .boolean, "Whether it is chosen now."),
              .init("count", .nullable(.integer), "How many titles it leaves."),
            ])), "Other orders and subsets."),
        .init(
          "entries", .list(.object(entry)),
          "Works where they are books, places where they lead on."),
      ])
  ]

  /// A work or a place: what both have is always there.
  private static let entry: [ReportSchema.Property] =
    Schemas.work.properties.map { property in
      ReportSchema.Property(
        property.name, property.shape, property.meaning,
        required: ["id", "title", "summary"].contains(property.name))
    } + [
      .init("lane", .nullable(.string), "The lane a book stands in.", required: false),
      .init("href", .nullable(.string), "Where a place leads.", required: false),
    ]

  static func needsEngine(_ input: Input) -> Bool { true }

  private static let limit = 32 << 20

  func run(_ input: Input, in app: App) async throws {
    let order = try Self.order(try input[Self.source])
    let answer = try await app.engaged("the catalogue") {
      engine, seat throws(ErrorItem) -> Result<FeedItem, ErrorItem> in
      do throws(ErrorItem) { return .success(try await engine.feed(order, at: seat)) } catch {
        return .failure(error)
      }
    }
    let feed: FeedItem
    do throws(ErrorItem) { feed = try answer.get() } catch { throw Self.complaint(error) }
    var report = Report(Self.schemas[0], [feed.json]) { layout in Self.page(feed, layout) }
    report.warnings = feed.faults
    report.partial = !feed.faults.isEmpty
    try app.output.show(report)
  }

  private static func order(_ source: String) throws(CommandError) -> FeedOrder {
    if source.hasPrefix("http://") || source.hasPrefix("https://") { return .address(source) }
    do throws(FileError) {
      return .body(try WholeFile.read(source == "-" ? "/dev/stdin" : source, upTo: limit))
    } catch {
      throw CommandError(.unreadable, "\(error)", try: "carrel help opds get")
    }
  }

  /// No card and no library stand behind a feed, so the usual sentences do not fit.
  private static func complaint(_ error: ErrorItem) -> CommandError {
    let (source, detail) = (error.library ?? "the catalogue", error.detail ?? "")
    let message: TerminalText =
      switch error.code {
      case "malformed_response": "\(source) cannot be read: expected \(detail)"
      case "not_configured": "\(source) may not be called: it would take \(detail)"
      case "provider_unavailable": "\(source) answered \(detail)"
      case "bad_value": "\(source) is no address"
      default: "\(source) cannot be reached: \(detail)"
      }
    return CommandError(
      ErrorCode(rawValue: error.code) ?? .unexpected, message, try: "carrel help opds get")
  }

  private static func page(_ feed: FeedItem, _ layout: TextLayout) -> TerminalText {
    var text = layout.heading("\(feed.title)") + "\n"
    var facts = [("kind", feed.kind)]
    if let updated = feed.updated { facts.append(("updated", updated)) }
    for link in feed.links where !link.rel.contains("self") {
      facts.append((link.rel.last.map(shortened) ?? "link", link.href))
    }
    text += layout.table(facts) + "\n"
    for facet in feed.facets where facet.isActive {
      text += layout.wrap("\(facet.group): \(facet.title)") + "\n"
    }
    let rows = feed.entries.map { entry in
      switch entry {
      case .place(let place): [place.title, "", place.href ?? ""]
      case .book(let work, _):
        [
          work.title, work.authors.prefix(2).joined(separator: ", "),
          work.offers.prefix(2).map { OfferText.glance($0) }.joined(separator: " · "),
        ]
      }
    }
    text += rows.isEmpty ? "\nNothing is in it.\n" : "\n" + Grid(rows: rows).text(layout)
    return text + feed.faults.map { "left out: \($0)\n" }.joined()
  }

  private static func shortened(_ rel: String) -> String {
    String(rel.split(separator: "/").last ?? "link")
  }
}

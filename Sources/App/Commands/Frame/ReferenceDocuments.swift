import Arguments

/// The page of documents. What many of them hold is told once, under a name, and linked.
struct ReferenceDocuments {
  /// What goes by a name of its own, in the order of the page.
  private struct Thing {
    let name: String
    let meaning: String
    let properties: [ReportSchema.Property]

    init(_ name: String, _ meaning: String, _ properties: [ReportSchema.Property]) {
      (self.name, self.meaning, self.properties) = (name, meaning, properties)
    }

    var link: String { "[\(name)](#\(name.replacing(" ", with: "-")))" }
    var linkWithArticle: String { ("aeiou".contains(name.prefix(1)) ? "an " : "a ") + link }
  }

  private static let things = [
    Thing("work", "A book with every way to get it.", Schemas.work.properties),
    Thing("offer", "One way to get a work.", Schemas.offer),
    Thing("availability", "Whether a title can be had.", Schemas.availability),
    Thing("estimate", "How long a wait may be.", Schemas.estimate),
    Thing("format", "What a title comes as.", Schemas.format),
    Thing("copy", "A copy on paper.", Schemas.copy),
    Thing("branch", "Where a copy may be put aside.", Schemas.branch),
    Thing("loan", "A title on loan.", Schemas.loanProperties),
    Thing("hold", "A title that is waited for.", Schemas.holdProperties),
    Thing("receipt", "What became of a command.", Schemas.receipt.properties),
    Thing("account", "A linked card, or an account at a service.", Schemas.accountProperties),
    Thing("trouble", "Why something could not be done.", Schemas.error),
    Thing("book of mine", "A book in one of its states.", MyBookText.properties),
    Thing("download", "A loan that is fetched as a file.", DownloadText.properties),
    Thing("annotation", "A bookmark, a highlight or a note.", AnnotationWork.properties),
    Thing("reading list", "A list of a reader's own.", ListText.properties),
    Thing("listed book", "A book on such a list.", ListText.bookProperties),
    Thing("list write", "A change at another service.", ListWriteText.properties),
    Thing("wish", "A book that is wished for.", WishText.properties),
    Thing("lane", "A place of the catalogue.", Schemas.laneProperties),
    Thing("decision", "What somebody said of two editions.", WorkText.decision),
    Thing("backup", "A copy of everything.", BackupWork.properties),
    Thing("harvest", "A catalogue that was read.", HarvestCommand.properties),
    Thing("channel", "A way to be told.", NotifyListCommand.properties),
    Thing("device", "An app with a password of its own.", DeviceListCommand.properties),
    Thing("session", "A browser that is signed in.", SessionListCommand.properties),
    Thing("operator", "Who looks after the gateway.", OperatorListCommand.properties),
    Thing("calendar", "The secret address of due dates.", CalendarShowCommand.properties),
    Thing("export", "What was taken along.", ExportCommand.properties),
  ]

  static var page: String {
    """
    # Documents in JSON

    Every command takes `--json` and prints one document: `schema`, `generated_at`, `items`, `partial`,
    `warnings` and `next`, and the keys below in each item. `carrel schema NAME` prints the JSON Schema.
    Keys that are marked with ? may be left out. New keys may come at any time.

    What several documents hold is told first, [under a name of its own](#things-that-documents-hold).

    ## Things that documents hold


    """
      + things.map { thing in
        "### \(thing.name)\n\n\(thing.meaning)\n\n\(table(rows(thing.properties, except: thing.name)))"
      }.joined(separator: "\n") + "\n" + SchemaCommand.all.map(document).joined(separator: "\n")
  }

  private static func document(_ schema: ReportSchema) -> String {
    var text = "## \(schema.id)\n\n\(Markdown.escaped(schema.summary))"
    let (thing, rest) = held(in: schema.properties)
    if let thing {
      text += " Each item is \(thing.linkWithArticle)\(rest.isEmpty ? "." : ", and has besides:")"
    }
    text += "\n"
    if !rest.isEmpty { text += "\n\(table(rows(rest)))" }
    if !schema.members.isEmpty {
      text += "\nBeside the usual keys of the document:\n\n\(table(rows(schema.members)))"
    }
    return text
  }

  private static func table(_ rows: [[String]]) -> String {
    Markdown.table(["key", "type", "meaning"], rows)
  }

  /// Those inside others by their path.
  private static func rows(
    _ properties: [ReportSchema.Property], in path: String = "", except name: String? = nil
  ) -> [[String]] {
    properties.flatMap { property -> [[String]] in
      let key = path + property.name
      let (thing, rest) = held(in: property.shape.inner, except: name)
      let row = [
        Markdown.code(key + (property.isRequired ? "" : "?")),
        property.shape.word(of: thing?.link), Markdown.escaped(property.meaning),
      ]
      return [row] + rows(rest, in: key + property.shape.step, except: name)
    }
  }

  /// The largest thing whose keys all stand here, and the keys that are left.
  private static func held(
    in properties: [ReportSchema.Property], except name: String? = nil
  ) -> (Thing?, rest: [ReportSchema.Property]) {
    let marks = Dictionary(properties.map { ($0.name, $0.mark) }) { first, _ in first }
    let fitting = things.filter { thing in
      thing.name != name && thing.properties.count <= properties.count
        && thing.properties.allSatisfy { marks[$0.name] == $0.mark }
    }
    guard let thing = fitting.max(by: { $0.properties.count < $1.properties.count }) else {
      return (nil, properties)
    }
    let told = Set(thing.properties.map(\.name))
    return (thing, properties.filter { !told.contains($0.name) })
  }
}

extension ReportSchema.Property {
  /// Two that say the same have the same.
  fileprivate var mark: String {
    "\(name) \(isRequired) \(shape.word(of: nil)) \(meaning) \(shape.inner.map(\.mark))"
  }
}

extension ReportSchema.Shape {
  fileprivate func word(of thing: String?) -> String {
    switch self {
    case .string: "text"
    case .integer: "whole number"
    case .number: "number"
    case .boolean: "true or false"
    case .time: "time"
    case .list(let element): "list, each \(element.word(of: thing))"
    case .object: thing ?? "object"
    case .nullable(let shape): "\(shape.word(of: thing)), or null"
    }
  }

  fileprivate var inner: [ReportSchema.Property] {
    switch self {
    case .object(let properties): properties
    case .list(let shape), .nullable(let shape): shape.inner
    case .string, .integer, .number, .boolean, .time: []
    }
  }

  /// From its name to what is inside it.
  fileprivate var step: String {
    switch self {
    case .list(let shape): "[]" + (shape.inner.isEmpty ? "" : shape.step)
    case .nullable(let shape): shape.step
    default: "."
    }
  }
}

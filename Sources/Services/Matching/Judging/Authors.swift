/// Whether those who wrote one book wrote the other.
enum AuthorMeeting: Sendable, Hashable {
  case shared
  /// Under another name of the same writer.
  case penName
  /// Neither names a person, and both the same body.
  case body
  /// One side names nobody, or a body that wrote nothing.
  case unknown
  case disjoint
}

struct AuthorReading: Sendable {
  let authors: [PersonName]
  /// Translators, narrators and others, who may be listed as authors on the other side.
  let others: [PersonName]
  /// The words of publishers, offices and societies that stand where authors do.
  private let bodies: [Set<String>]
  /// Those who may have written under another name, too.
  private let pens: [PersonName]

  init(_ candidate: Candidate) {
    var names: [PersonName] = []
    for text in candidate.authors.prefix(Candidate.mostNames) {
      names += Self.split(text).compactMap(PersonName.known)
    }
    authors = Array(names.prefix(Candidate.mostNames))
    pens = authors.prefix(4).filter(PenNames.mayHold)
    bodies = names.isEmpty ? candidate.authors.prefix(4).compactMap(Self.body) : []
    others = candidate.contributors.prefix(Candidate.mostNames).compactMap(PersonName.known)
  }

  func meeting(_ other: AuthorReading) -> AuthorMeeting {
    guard !authors.isEmpty, !other.authors.isEmpty else {
      let isOne = bodies.contains { body in
        other.bodies.contains { $0.isSubset(of: body) || body.isSubset(of: $0) }
      }
      return isOne ? .body : .unknown
    }
    if Self.share(authors, other.authors) { return .shared }
    if Self.share(authors, other.others) || Self.share(others, other.authors) { return .shared }
    for one in pens {
      for two in other.pens where PenNames.areOne(one, two) { return .penName }
    }
    return .disjoint
  }

  /// Nil for nobody at all.
  private static func body(_ text: String) -> Set<String>? {
    let words = Words.of(text.prefix(200))
    guard PersonName.isHouse(words) else { return nil }
    let telling = Words.content(words).subtracting(["staff", "editors", "editorial", "inc", "ltd"])
    return telling.isEmpty ? nil : telling
  }

  private static func share(_ one: [PersonName], _ two: [PersonName]) -> Bool {
    one.contains { name in two.contains { name.isSame(as: $0) } }
  }

  private static let joins: Set<String> = [
    "&", "and", "with", "und", "et", "/", "writing", "as", "aka", "a.k.a.",
  ]

  /// `Neil Gaiman & Terry Pratchett`, `Neil Gaiman and Terry Pratchett`, `by Neil Gaiman`.
  private static func split(_ text: String) -> [String] {
    let clipped = text.utf8.count <= 400 ? text : String(text.prefix(400))
    var pieces: [String] = []
    var current: [Substring] = []
    for word in clipped.utf8.split(separator: 0x20).map(Substring.init) {
      if word.utf8.count < 8, joins.contains(word.lowercased()) {
        pieces.append(current.joined(separator: " "))
        current = []
      } else {
        current.append(word)
      }
    }
    pieces.append(current.joined(separator: " "))
    let whole = pieces.flatMap { piece in
      piece.utf8.contains { $0 == 0x3B || $0 == 0x7C || $0 == 0x2F }
        ? piece.split(whereSeparator: { ";|/".contains($0) }).map(String.init)
        : piece.isEmpty ? [] : [piece]
    }
    return whole.flatMap(commas)
  }

  /// `Neil Gaiman, Terry Pratchett` are two, `Gaiman, Neil` is one.
  private static func commas(_ text: String) -> [String] {
    guard text.utf8.contains(0x2C) else { return [text] }
    let pieces = text.split(separator: ",")
    let counts = pieces.map { Words.of($0).filter { Int($0) == nil }.count }
    guard pieces.count > 1, counts.allSatisfy({ $0 > 1 }) else { return [text] }
    // `García Márquez, Gabriel José` is one name with two words on either side.
    let last = Words.of(pieces[1])
    let first = Words.of(pieces[0])
    if pieces.count == 2, PersonName.particles.contains(first[0]) { return [text] }
    if pieces.count == 2, last.contains(where: { $0.count == 1 }), first.count == 2,
      first[0].count > 1, last.last?.count == 1
    {
      return [text]
    }
    return pieces.map(String.init) + (pieces.count == 2 ? [text] : [])
  }
}

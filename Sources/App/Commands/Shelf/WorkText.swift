import Items

/// Decisions about works in words, and the shape of their item.
enum WorkText {
  static let decision: [ReportSchema.Property] = [
    .init("number", .integer, "The decision, for carrel work undo."),
    .init("kind", .string, "join or split."),
    .init("made", .time, "When."),
    .init("one", .list(.string), "Editions of one side; of a split, those that were taken out."),
    .init("two", .list(.string), "Editions of the other."),
    .init("work", .nullable(.string), "The work that the first edition is in now."),
    .init("title", .nullable(.string), "That edition's title."),
  ]

  static func schema(_ name: String, _ summary: String) -> ReportSchema {
    ReportSchema(name, summary, decision)
  }

  static func sentence(_ item: DecisionItem) -> String {
    let (one, two) = (few(item.one), few(item.two))
    let said = item.kind == "join" ? "\(one) and \(two) are one work" : "\(one) is not \(two)"
    return "\(item.number)  \(said) (\(Moments.day(item.made) ?? item.made))"
  }

  static func few(_ names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    return names.count > 3 ? shown + " and \(names.count - 3) more" : shown
  }

  /// `0.97`, always two digits.
  static func score(_ score: Double) -> String {
    let hundredths = Int((score * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}

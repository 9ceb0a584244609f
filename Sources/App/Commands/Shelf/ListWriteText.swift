import Items

/// How a write at a service is shown.
enum ListWriteText {
  static let properties: [ReportSchema.Property] = [
    .init("id", .nullable(.integer), "Its number, for carrel list undo."),
    .init("account", .string, "The account."),
    .init("title", .string, "The book."),
    .init("deed", .string, "add, remove, move, rate or note."),
    .init("words", .string, "The same in words."),
    .init(
      "state", .string,
      "planned, sent, done, roughly where less is kept there, or failed."),
    .init("note", .nullable(.string), "What is kept otherwise, or why it failed."),
    .init("at", .nullable(.time), "When it was planned."),
  ]

  static func line(_ write: ListWriteItem) -> String {
    var line = "\(write.title): \(write.words)"
    if write.state == "failed" || write.state == "sent" { line += " (\(write.state))" }
    if let note = write.note { line += " (\(note.replacing("_", with: " ")))" }
    return line
  }
}

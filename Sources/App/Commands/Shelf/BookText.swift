import Arguments
import Items
import TextSafety

/// What a book says, in words for a terminal.
enum BookText {
  static func page(_ book: BookItem, _ layout: TextLayout) -> TerminalText {
    var text = layout.heading("\(book.title ?? "Untitled")") + "\n"
    if let subtitle = book.subtitle { text += "\(subtitle)\n" }
    text += layout.table(facts(book).map { ($0.0, $0.1) }) + "\n"
    return text + faults(book.faults)
  }

  private static func facts(_ book: BookItem) -> [(String, String)] {
    let series = book.series.map { series in
      series.name + (series.position.map { ", \($0)" } ?? "")
    }
    let contents = book.tocEntries == 1 ? "1 entry" : "\(book.tocEntries) entries"
    let all: [(String, String?)] = [
      ("by", book.creators.isEmpty ? nil : book.creators.joined(separator: ", ")),
      ("series", series), ("language", book.language), ("identifier", book.identifier),
      ("publisher", book.publisher), ("published", book.published), ("EPUB", book.version),
      ("layout", book.isFixedLayout ? "fixed" : "reflowable"),
      ("pages turn", book.pageProgression == "rtl" ? "right to left" : "left to right"),
      ("in order", Counted.text(book.spineLength, "document")),
      ("contents", "\(contents), from \(book.tocSource)"),
      ("positions", String(book.positions)), ("cover", book.cover),
      ("read aloud", book.mediaOverlays > 0 ? Counted.text(book.mediaOverlays, "document") : nil),
      (
        "elsewhere",
        book.remoteResources.isEmpty ? nil : Counted.text(book.remoteResources.count, "file")
      ),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  static func faults(_ faults: [FaultItem]) -> TerminalText {
    faults.map { fault in
      "warning: \(fault.code)\(fault.subject.isEmpty ? "" : ": \(fault.subject)")\n"
    }.joined()
  }
}

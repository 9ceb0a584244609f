import Arguments
import Items

/// What a book says, in words for a terminal.
enum BookText {
  /// Without what a terminal would obey, and without marks that turn the rest of a line around:
  /// the words are a stranger's.
  static func tame(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: out.append(" ")
      case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: continue
      default: out.append(scalar)
      }
    }
    return String(out)
  }

  static func page(_ book: BookItem, _ layout: TextLayout) -> String {
    var text = layout.heading(tame(book.title ?? "Untitled")) + "\n"
    if let subtitle = book.subtitle { text += tame(subtitle) + "\n" }
    text += layout.table(facts(book).map { ($0.0, tame($0.1)) }) + "\n"
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

  static func faults(_ faults: [FaultItem]) -> String {
    faults.map { fault in
      "warning: \(fault.code)" + (fault.subject.isEmpty ? "" : ": \(tame(fault.subject))") + "\n"
    }.joined()
  }
}

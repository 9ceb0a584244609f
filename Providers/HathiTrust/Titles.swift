import Circulation
import ProviderKit

/// A title as cataloguers punctuate it: `The Sneetches : and other stories / by Dr. Seuss.`, in older
/// records `The Sneetches, and other stories, by Dr. Seuss.`
struct PlainTitle: Sendable, Hashable {
  private(set) var title: String
  private(set) var subtitle: String?
  /// Who is said to have made it.
  private(set) var responsibility: String?

  init(_ text: String) {
    var rest = text
    if let slash = text.firstRange(of: " / ") {
      responsibility = String(text[slash.upperBound...])
      rest = String(text[..<slash.lowerBound])
    } else if let cut = Self.statement(in: text) {
      responsibility = String(text[cut.after...])
      rest = String(text[..<cut.before])
    }
    if let colon = rest.firstRange(of: " : ") {
      subtitle = String(rest[colon.upperBound...]).withoutLeadingMark
      rest = String(rest[..<colon.lowerBound])
    }
    title = rest.withoutLeadingMark
  }

  func describe(_ edition: inout Edition) {
    (edition.title, edition.subtitle) = (title, subtitle)
    if edition.contributors.isEmpty, let author {
      edition.contributors = [Contributor(name: author, role: .author)]
    }
  }

  /// `by Bill Russell, as told to William McSweeny.`: the first who is named after the word.
  var author: String? {
    guard let words = responsibility?.trimmingBlanks, words.lowercased().hasPrefix("by ") else {
      return nil
    }
    let name = words.dropFirst(3).prefix { !",;[(".contains($0) }
    let first = String(name).split(separator: " and ", maxSplits: 1).first.map(String.init) ?? ""
    let bare = first.withoutLeadingMark
    return bare.isEmpty ? nil : bare
  }

  private static func statement(in text: String) -> (before: String.Index, after: String.Index)? {
    for mark in [
      ", by ", ". By ", ". Written ", ", written ", ". Edited ", ", edited ", ". Translated ",
    ] {
      guard let found = text.firstRange(of: mark) else { continue }
      return (found.lowerBound, text.index(found.lowerBound, offsetBy: 2))
    }
    return nil
  }
}

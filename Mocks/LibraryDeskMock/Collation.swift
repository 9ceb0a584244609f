import JSON
import MockKit
import Text

/// How a library's database compares card numbers: exactly, or with `lenient_collation` as MySQL does by
/// utf8mb4_unicode_ci, where case, accents, widths and scripts of digits make no difference and what is
/// not seen is not there.
struct Collation {
  private let library: MockLibrary

  init(_ library: MockLibrary) { self.library = library }

  func patron(_ card: String) -> Patron? {
    let patrons = library.lending.patrons
    guard library.settings["lenient_collation"]?.bool == true else { return patrons[card] }
    let key = key(card)
    return patrons.values.first { self.key($0.card) == key }
  }

  private func key(_ card: String) -> [UInt8] {
    let seen = card.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }.map {
      $0.properties.numericValue.map { String(Int($0)) } ?? String($0)
    }
    var folding = Folding()
    return folding.query(seen.joined())
  }
}

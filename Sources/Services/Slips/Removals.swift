package import Circulation
package import Database

extension SlipBox {
  /// Slips that were handed over.
  package static func removals(of leaver: Leaver) -> [Removal] {
    [Removal("slips", from: "slip", where: "patron = \(leaver.patron.rawValue)")]
  }
}

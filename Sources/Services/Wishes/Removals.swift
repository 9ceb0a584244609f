package import Circulation
package import Database

extension Wishes {
  /// What a reader wishes for.
  package static func removals(of leaver: Leaver) -> [Removal] {
    .each("wishes", of: ["wish", "wish_list"], where: "patron = \(leaver.patron.rawValue)")
  }
}

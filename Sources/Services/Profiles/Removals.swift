package import Circulation
package import Database

extension Profiles {
  /// What a reader chose to look like, likes, and said to whoever runs the gateway.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let mine: SQL = "patron = \(leaver.patron.rawValue)"
    return [
      Removal("pictures", from: "profile_picture", where: mine),
      Removal("favourite genres", from: "profile_genre", where: mine),
      Removal("languages", from: "profile_tongue", where: mine),
      Removal("messages to the operator", from: "profile_feedback", where: mine),
    ]
  }
}

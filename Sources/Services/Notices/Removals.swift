package import Circulation
package import Database

extension Notices {
  /// What a reader was told, and by which ways.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let patron = leaver.patron.rawValue
    return [
      Removal(
        "notices", from: "notice_sending",
        where: """
          fact IN (SELECT id FROM notice_fact WHERE patron = \(patron))
            OR channel IN (SELECT id FROM notice_channel WHERE patron = \(patron))
          """),
      Removal("notices", from: "notice_fact", where: "patron = \(patron)"),
      Removal("ways to be told", from: "notice_channel", where: "patron = \(patron)"),
    ]
  }
}

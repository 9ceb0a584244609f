import Circulation
import Database
package import Items
import Machine
import Profiles
import Registry
package import Setup

extension LinkedEngine {
  package func feedback(at seat: Seat) async throws(ErrorItem) -> [FeedbackItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let letters = try await toldOfDatabase { () throws(DatabaseError) in
        try await visit.house.profiles.feedback()
      }
      let patrons = try await told { () throws(RegistryError) in
        try await visit.house.registry.patrons()
      }
      let names = Dictionary(patrons.map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
      return letters.map { letter in
        FeedbackItem(
          // Whoever was purged meanwhile has no name any more.
          reader: names[letter.patron] ?? "somebody",
          at: Timestamp(millisecondsSinceEpoch: letter.at).rfc3339(), text: letter.text,
          answerTo: letter.answerTo, isMailed: letter.isMailed)
      }
    }
  }
}

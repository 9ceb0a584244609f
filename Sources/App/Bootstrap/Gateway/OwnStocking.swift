import HTTPClient
import Machine
import Membership
import Notices
import Profiles
import Vault
import Web

extension House {
  /// What stands behind readers' own pages.
  var own: OwnStock {
    let (time, mail, door, seat) = (time, notices.ways.mail, door, seat)
    var own = OwnStock(
      enrollment: enrollment,
      visits: PageVisits(
        enrollment, store: store, now: { time.now().millisecondsSinceEpoch },
        key: { () throws(VaultError) in
          try await Self.vault(door, seat).subkey(PageVisits.keyLabel)
        }),
      notices: notices, profiles: profiles, tastes: tastes, annotations: annotations,
      credits: Credits.all,
      tellOperator: { feedback, owner in
        guard let mail else { return false }
        return await feedback.sent(from: owner, by: mail)
      },
      pause: { duration in
        // Whoever goes away meanwhile waits for nothing.
        try? await time.sleep(for: duration)
      })
    own.adobe = adobe
    return own
  }
}

extension Feedback {
  /// To the address that our own mail comes from: somebody reads it.
  fileprivate func sent(from owner: String, by mail: Ways.Mail) async -> Bool {
    var message = MailMessage(
      from: mail.sender, to: [mail.sender], subject: "Feedback from \(owner.onOneLine)",
      text: "\(text)\n\n-- \n\(owner)\(answerTo.map { ", \($0)" } ?? "")\n", date: at / 1000,
      id: "feedback-\(number)-\(at)")
    message.replyTo = answerTo.flatMap { try? MailAddress($0) }
    do throws(MailError) {
      _ = try await mail.send(message)
      return true
    } catch {
      // It is kept, and the operator can list it.
      return false
    }
  }
}

extension String {
  fileprivate var onOneLine: String {
    String(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
  }
}

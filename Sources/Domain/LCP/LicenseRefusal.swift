/// Why a licence does not open its book: one of a closed set of reasons, and what exactly it is
/// about. A reason never tells more of a key than that it does not fit.
package struct LicenseRefusal: Error, Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    case notALicense = "not-a-licence"
    case memberMissing = "member-missing"
    case memberMalformed = "member-malformed"
    case profileUnknown = "profile-unknown"
    case algorithmUnknown = "algorithm-unknown"
    case keyOfAnotherKind = "key-of-another-kind"
    case certificateUnreadable = "certificate-unreadable"
    case signatureWrong = "signature-wrong"
    case noRoots = "no-roots"
    case rootUnknown = "root-unknown"
    case certificateOutOfTime = "certificate-out-of-time"
    case certificateRevoked = "certificate-revoked"
    case notYet = "not-yet"
    case ended = "ended"
    case endedByStatus = "ended-by-status"
    case passphraseNeeded = "passphrase-needed"
    case passphraseWrong = "passphrase-wrong"
    case contentKeyDamaged = "content-key-damaged"
    case publicationChanged = "publication-changed"
    case anotherLicense = "another-licence"
  }

  package let reason: Reason
  /// The member, the moment or the scheme it is about; safe to show.
  package let detail: String

  package init(_ reason: Reason, _ detail: String = "") {
    self.reason = reason
    // A stranger wrote it: no controls, and no more than fits a line.
    self.detail = String(
      String.UnicodeScalarView(
        detail.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
          .prefix(200)))
  }

  /// Whether another program opens it.
  package var opensElsewhere: Bool { reason == .profileUnknown }
  /// Whether a passphrase is what is asked for.
  package var asksForPassphrase: Bool {
    reason == .passphraseNeeded || reason == .passphraseWrong
  }

  package var sentence: String {
    switch reason {
    case .notALicense: "This is no licence of Readium LCP."
    case .memberMissing: "The licence lacks what it must have: \(detail)."
    case .memberMalformed: "The licence has something that cannot be read: \(detail)."
    case .profileUnknown: "Open this in an LCP-certified app: its scheme is not one we can open."
    case .algorithmUnknown: "The licence is signed in a way that is not known: \(detail)."
    case .keyOfAnotherKind: "The licence is signed with a key of another kind than it says."
    case .certificateUnreadable: "The certificate in the licence cannot be read."
    case .signatureWrong: "The licence was changed after it was signed."
    case .noRoots: "No root certificate is set, so no licence can be trusted."
    case .rootUnknown:
      "The licence is signed by somebody whom no root certificate here vouches for."
    case .certificateOutOfTime:
      "The certificate of the licence was not good when the licence was issued."
    case .certificateRevoked: "The certificate of the licence was taken back."
    case .notYet: "The book can be read from \(detail) on."
    case .ended: "The licence ended at \(detail)."
    case .endedByStatus: "The lender says that the licence is \(detail)."
    case .passphraseNeeded: "The book opens with its reader's passphrase."
    case .passphraseWrong: "That passphrase does not open the book."
    case .contentKeyDamaged: "The key of the book, as the licence has it, is damaged."
    case .publicationChanged: "The file of the book is not the one that the licence is for."
    case .anotherLicense: "The new licence is for another loan."
    }
  }
}

/// What a library's side says to a hold that was placed, changed or cancelled.
package struct HoldAnswer: Sendable, Hashable {
  package let isAccepted: Bool
  /// A copy is on the shelf now.
  package let isAvailable: Bool
  package let queuePosition: Int?
  /// Some take the reader's own branch in place of one that they do not know: to be compared with the
  /// one that was asked for.
  package let pickupLocation: String?
  package let expires: Due?
  package let title: String?
  package let item: String?
  package let messages: [String]

  package init(_ message: Message) {
    isAccepted = message[.ok] == "1"
    isAvailable = message[.isAvailable] == "Y"
    queuePosition = message.number(.queuePosition).flatMap { $0 > 0 ? $0 : nil }
    pickupLocation = message.text(.pickupLocation)
    expires = message.text(.expiry).map { Due($0) }
    title = message.text(.title)
    item = message.text(.item)
    messages = message.texts(.screenMessage)
  }
}

/// What it says to a loan that was to be renewed.
package struct RenewAnswer: Sendable, Hashable {
  package let isAccepted: Bool
  package let due: Due?
  package let title: String?
  package let messages: [String]

  package init(_ message: Message) {
    isAccepted = message[.ok] == "1"
    due = message.text(.dueDate).map { Due($0) }
    title = message.text(.title)
    messages = message.texts(.screenMessage)
  }
}

/// What it says of itself. Advice only: some do what they do not announce, and the other way around.
package struct ServiceStatus: Sendable, Hashable {
  package let isOnline: Bool
  package let allowsCheckout: Bool
  package let allowsRenewal: Bool
  /// Nil where it is unknown.
  package let timeout: Duration?
  package let retries: Int?
  package let clock: Moment?
  package let libraryName: String?
  package let institution: String?
  private let announced: [UInt8]

  package init(_ message: Message) {
    isOnline = message[.isOnline] == "Y"
    allowsCheckout = message[.allowsCheckout] == "Y"
    allowsRenewal = message[.renewalPolicy] == "Y"
    timeout = message.number(.timeout).flatMap { tenths in
      (1..<999).contains(tenths) ? .milliseconds(tenths * 100) : nil
    }
    retries = message.number(.retries).flatMap { $0 < 999 ? $0 : nil }
    clock = message[.date].flatMap { Moment($0) }
    libraryName = message.text(.libraryName)
    institution = message[.institution]
    announced = Array((message[.supportedMessages] ?? "").utf8)
  }

  /// Whether it announces to answer that; nil where it says nothing of it.
  package func supports(_ kind: MessageKind) -> Bool? {
    guard let place = Self.announcements.firstIndex(of: kind), place < announced.count else {
      return nil
    }
    return announced[place] == UInt8(ascii: "Y")
  }

  private static let announcements: [MessageKind] = [
    .patronStatus, .checkout, .checkin, .blockPatron, .serviceStatus, .answerResend, .login,
    .patronInformation, .endSession, .feePaid, .itemInformation, .itemStatusUpdate, .patronEnable,
    .hold, .renew, .renewAll,
  ]
}

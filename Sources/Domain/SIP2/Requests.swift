/// What we ask. Each is a message with all that the paper wants of it; values that a person typed are
/// checked where it becomes bytes.
extension Message {
  /// Who asks: each request to one library says the same.
  package struct Sender: Sendable, Hashable {
    package var institution: String
    package var language: String
    package var date: Moment

    package init(institution: String, language: String = "000", date: Moment) {
      (self.institution, self.language, self.date) = (institution, language, date)
    }

    var field: Field { Field(.institution, institution) }
  }

  package static func login(user: String, password: String, location: String?) -> Message {
    let place = location.map { [Field(.loginLocation, $0)] } ?? []
    return Message(
      .login, [.userAlgorithm: "0", .passwordAlgorithm: "0"],
      [Field(.loginUser, user), Field(.loginPassword, password)] + place)
  }

  package static var serviceStatus: Message {
    Message(.serviceStatus, [.machineStatus: "0", .printWidth: "080", .version: "2.00"])
  }

  package static var answerResend: Message { Message(.answerResend) }

  /// With a list of one kind, from its first entry to its last, counted from 1.
  package static func patronInformation(
    _ card: String, password: String, listing summary: Summary? = nil,
    entries: ClosedRange<Int>? = nil, from sender: Sender
  ) -> Message {
    let range = entries.map {
      [Field(.firstEntry, String($0.lowerBound)), Field(.lastEntry, String($0.upperBound))]
    }
    return Message(
      .patronInformation,
      [
        .language: sender.language, .date: sender.date.text, .summary: Summary.text(of: summary),
      ],
      [
        sender.field, Field(.patron, card), Field(.terminalPassword, ""),
        Field(.patronPassword, password),
      ] + (range ?? []))
  }

  package static func itemInformation(_ barcode: String, from sender: Sender) -> Message {
    Message(.itemInformation, [.date: sender.date.text], [sender.field, Field(.item, barcode)])
  }

  /// By what a hold is asked for: any copy of it, or the library's own number of the title.
  package enum Target: Sendable, Hashable {
    case item(String)
    case title(String)
    case both(item: String, title: String)

    fileprivate var fields: [Field] {
      switch self {
      case .item(let barcode): [Field(.item, barcode)]
      case .title(let number): [Field(.title, number)]
      case .both(let barcode, let number): [Field(.item, barcode), Field(.title, number)]
      }
    }
  }

  /// A hold on whichever copy comes first.
  package static func placeHold(
    _ target: Target, for card: String, password: String, at pickup: String?,
    until expiry: Moment? = nil, from sender: Sender
  ) -> Message {
    var fields: [Field] = []
    if let expiry { fields.append(Field(.expiry, expiry.text)) }
    if let pickup { fields.append(Field(.pickupLocation, pickup)) }
    fields.append(Field(.holdType, "2"))
    return hold(.add, fields, target, card, password, sender)
  }

  package static func cancelHold(
    _ target: Target, for card: String, password: String, from sender: Sender
  ) -> Message {
    hold(.cancel, [], target, card, password, sender)
  }

  package static func moveHold(
    _ target: Target, for card: String, password: String, to pickup: String, from sender: Sender
  ) -> Message {
    hold(.change, [Field(.pickupLocation, pickup)], target, card, password, sender)
  }

  private static func hold(
    _ mode: Dialect.HoldMode, _ fields: [Field], _ target: Target, _ card: String,
    _ password: String, _ sender: Sender
  ) -> Message {
    Message(
      .hold, [.holdMode: mode.rawValue, .date: sender.date.text],
      fields + [sender.field, Field(.patron, card), Field(.patronPassword, password)]
        + target.fields + [Field(.feeAcknowledged, "Y")])
  }

  package static func renew(
    _ barcode: String, for card: String, password: String, from sender: Sender
  ) -> Message {
    Message(
      .renew,
      [
        .thirdPartyAllowed: "N", .noBlock: "N", .date: sender.date.text,
        // Of no meaning without a block; but there are servers that refuse blanks.
        .dueDate: sender.date.text,
      ],
      [
        sender.field, Field(.patron, card), Field(.patronPassword, password),
        Field(.item, barcode), Field(.feeAcknowledged, "N"),
      ])
  }

  package static func endSession(
    _ card: String, password: String, from sender: Sender
  ) -> Message {
    Message(
      .endSession, [.date: sender.date.text],
      [
        sender.field, Field(.patron, card), Field(.terminalPassword, ""),
        Field(.patronPassword, password),
      ])
  }
}

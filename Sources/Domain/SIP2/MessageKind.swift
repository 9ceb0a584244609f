/// Every message of the paper, by the two digits that it begins with.
package enum MessageKind: String, Sendable, Hashable, CaseIterable {
  case blockPatron = "01"
  case checkin = "09"
  case checkinAnswer = "10"
  case checkout = "11"
  case checkoutAnswer = "12"
  case hold = "15"
  case holdAnswer = "16"
  case itemInformation = "17"
  case itemInformationAnswer = "18"
  case itemStatusUpdate = "19"
  case itemStatusUpdateAnswer = "20"
  case patronStatus = "23"
  case patronStatusAnswer = "24"
  case patronEnable = "25"
  case patronEnableAnswer = "26"
  case renew = "29"
  case renewAnswer = "30"
  case endSession = "35"
  case endSessionAnswer = "36"
  case feePaid = "37"
  case feePaidAnswer = "38"
  case patronInformation = "63"
  case patronInformationAnswer = "64"
  case renewAll = "65"
  case renewAllAnswer = "66"
  case login = "93"
  case loginAnswer = "94"
  /// The library's side could not read what we sent.
  case requestResend = "96"
  /// We could not read what the library's side sent.
  case answerResend = "97"
  case serviceStatusAnswer = "98"
  case serviceStatus = "99"

  /// What a library's side answers it with; nil for answers.
  package var answer: MessageKind? {
    switch self {
    case .blockPatron, .patronStatus: .patronStatusAnswer
    case .checkin: .checkinAnswer
    case .checkout: .checkoutAnswer
    case .hold: .holdAnswer
    case .itemInformation: .itemInformationAnswer
    case .itemStatusUpdate: .itemStatusUpdateAnswer
    case .patronEnable: .patronEnableAnswer
    case .renew: .renewAnswer
    case .endSession: .endSessionAnswer
    case .feePaid: .feePaidAnswer
    case .patronInformation: .patronInformationAnswer
    case .renewAll: .renewAllAnswer
    case .login: .loginAnswer
    case .serviceStatus: .serviceStatusAnswer
    default: nil
    }
  }

  /// Whether asking twice is the same as asking once.
  package var isRepeatable: Bool {
    switch self {
    case .patronStatus, .patronInformation, .itemInformation, .serviceStatus, .login, .endSession:
      true
    default: false
    }
  }

  /// The parts without separators, in their order.
  package var fixedParts: [FixedPart] {
    switch self {
    case .login: [.userAlgorithm, .passwordAlgorithm]
    case .serviceStatus: [.machineStatus, .printWidth, .version]
    case .serviceStatusAnswer:
      [
        .isOnline, .allowsCheckin, .allowsCheckout, .renewalPolicy, .allowsStatusUpdate,
        .allowsOffline, .timeout, .retries, .date, .version,
      ]
    case .patronStatus: [.language, .date]
    case .patronStatusAnswer, .patronEnableAnswer: [.patronFlags, .language, .date]
    case .patronInformation: [.language, .date, .summary]
    case .patronInformationAnswer:
      [
        .patronFlags, .language, .date, .holdCount, .overdueCount, .chargedCount, .fineCount,
        .recallCount, .unavailableHoldCount,
      ]
    case .itemInformation, .itemStatusUpdate, .patronEnable, .endSession, .renewAll: [.date]
    case .itemInformationAnswer: [.circulationStatus, .securityMarker, .feeType, .date]
    case .hold: [.holdMode, .date]
    case .holdAnswer: [.ok, .isAvailable, .date]
    case .checkout: [.renewalPolicy, .noBlock, .date, .dueDate]
    case .checkoutAnswer, .renewAnswer: [.ok, .renewalOK, .isMagnetic, .desensitize, .date]
    case .checkin: [.noBlock, .date, .returnDate]
    case .checkinAnswer: [.ok, .resensitize, .isMagnetic, .alert, .date]
    case .renew: [.thirdPartyAllowed, .noBlock, .date, .dueDate]
    case .renewAllAnswer: [.ok, .renewedCount, .unrenewedCount, .date]
    case .endSessionAnswer: [.isEnded, .date]
    case .feePaid: [.date, .feeType, .paymentType, .currencyType]
    case .feePaidAnswer: [.isAccepted, .date]
    case .blockPatron: [.isCardRetained, .date]
    case .itemStatusUpdateAnswer: [.ok, .date]
    case .loginAnswer: [.ok]
    case .requestResend, .answerResend: []
    }
  }
}

/// A part of a message that has its length instead of a name.
package enum FixedPart: Sendable, Hashable, CaseIterable {
  case userAlgorithm, passwordAlgorithm
  case machineStatus, printWidth, version
  case isOnline, allowsCheckin, allowsCheckout, renewalPolicy, allowsStatusUpdate, allowsOffline
  case timeout, retries
  case date, dueDate, returnDate
  case language, patronFlags, summary
  case holdCount, overdueCount, chargedCount, fineCount, recallCount, unavailableHoldCount
  case circulationStatus, securityMarker, feeType, paymentType, currencyType
  case holdMode, ok, isAvailable, renewalOK, noBlock, thirdPartyAllowed
  case isMagnetic, desensitize, resensitize, alert
  case renewedCount, unrenewedCount
  case isEnded, isAccepted, isCardRetained

  package var length: Int {
    switch self {
    case .date, .dueDate, .returnDate: 18
    case .patronFlags: 14
    case .summary: 10
    case .version, .holdCount, .overdueCount, .chargedCount, .fineCount, .recallCount,
      .unavailableHoldCount, .renewedCount, .unrenewedCount:
      4
    case .language, .printWidth, .timeout, .retries, .currencyType: 3
    case .circulationStatus, .securityMarker, .feeType, .paymentType: 2
    default: 1
    }
  }

  var isDate: Bool { self == .date || self == .dueDate || self == .returnDate }
}

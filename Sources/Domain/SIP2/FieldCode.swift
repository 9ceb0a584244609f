/// The two characters that say what a field of variable length holds. What the paper does not know is
/// kept like the rest: vendors add their own.
package struct FieldCode: Sendable, Hashable, CustomStringConvertible {
  let first: UInt8
  let second: UInt8

  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 2 else { return nil }
    self.init(bytes[0], bytes[1])
  }

  init?(_ first: UInt8, _ second: UInt8) {
    guard Self.isCapital(first), Self.isCapital(second) || (0x30...0x39).contains(second) else {
      return nil
    }
    (self.first, self.second) = (first, second)
  }

  /// Spelled out below.
  private init(known: StaticString) {
    let text = known.description.utf8
    (first, second) = (text[text.startIndex], text[text.index(after: text.startIndex)])
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  package var description: String { String(decoding: [first, second], as: UTF8.self) }

  /// What may stand in no log and no message to anybody: passwords of readers, of terminals and of
  /// this machine.
  package var isSecret: Bool {
    [.patronPassword, .terminalPassword, .loginUser, .loginPassword].contains(self)
  }

  /// What a wrong character in it would turn into the name or the password of somebody else.
  var isExact: Bool {
    isSecret || [.patron, .item, .pickupLocation, .loginLocation].contains(self)
  }
}

// In the order of the letters, with the words of the paper.
extension FieldCode {
  package static let patron = FieldCode(known: "AA")
  package static let item = FieldCode(known: "AB")
  package static let terminalPassword = FieldCode(known: "AC")
  package static let patronPassword = FieldCode(known: "AD")
  package static let personalName = FieldCode(known: "AE")
  package static let screenMessage = FieldCode(known: "AF")
  package static let printLine = FieldCode(known: "AG")
  package static let dueDate = FieldCode(known: "AH")
  /// Where a hold is asked for or renewed, the number of the title.
  package static let title = FieldCode(known: "AJ")
  package static let blockedCardMessage = FieldCode(known: "AL")
  package static let libraryName = FieldCode(known: "AM")
  package static let terminalLocation = FieldCode(known: "AN")
  package static let institution = FieldCode(known: "AO")
  package static let currentLocation = FieldCode(known: "AP")
  /// In what is told of a patron: the home library.
  package static let permanentLocation = FieldCode(known: "AQ")
  package static let holdItem = FieldCode(known: "AS")
  package static let overdueItem = FieldCode(known: "AT")
  package static let chargedItem = FieldCode(known: "AU")
  package static let fineItem = FieldCode(known: "AV")
  package static let sequence = FieldCode(known: "AY")
  package static let checksum = FieldCode(known: "AZ")
  package static let homeAddress = FieldCode(known: "BD")
  package static let email = FieldCode(known: "BE")
  package static let telephone = FieldCode(known: "BF")
  package static let owner = FieldCode(known: "BG")
  package static let currency = FieldCode(known: "BH")
  package static let validPatron = FieldCode(known: "BL")
  package static let renewedItem = FieldCode(known: "BM")
  package static let unrenewedItem = FieldCode(known: "BN")
  package static let feeAcknowledged = FieldCode(known: "BO")
  package static let firstEntry = FieldCode(known: "BP")
  package static let lastEntry = FieldCode(known: "BQ")
  package static let queuePosition = FieldCode(known: "BR")
  package static let pickupLocation = FieldCode(known: "BS")
  package static let recallItem = FieldCode(known: "BU")
  package static let feeAmount = FieldCode(known: "BV")
  package static let expiry = FieldCode(known: "BW")
  package static let supportedMessages = FieldCode(known: "BX")
  package static let holdType = FieldCode(known: "BY")
  package static let holdLimit = FieldCode(known: "BZ")
  package static let overdueLimit = FieldCode(known: "CA")
  package static let chargedLimit = FieldCode(known: "CB")
  package static let feeLimit = FieldCode(known: "CC")
  package static let unavailableHoldItem = FieldCode(known: "CD")
  package static let holdQueueLength = FieldCode(known: "CF")
  package static let mediaType = FieldCode(known: "CK")
  package static let holdPickupDate = FieldCode(known: "CM")
  package static let loginUser = FieldCode(known: "CN")
  package static let loginPassword = FieldCode(known: "CO")
  package static let loginLocation = FieldCode(known: "CP")
  package static let validPassword = FieldCode(known: "CQ")
  package static let collection = FieldCode(known: "CR")
  package static let callNumber = FieldCode(known: "CS")
  /// Of a family of extensions: when the card ends, as a day; elsewhere a number.
  package static let expiryDay = FieldCode(known: "PA")
  /// Of another: as a moment, and as yes or no.
  package static let expiryMoment = FieldCode(known: "PX")
  package static let isExpired = FieldCode(known: "PY")
  /// Stays when the card is replaced.
  package static let permanentID = FieldCode(known: "XI")
}

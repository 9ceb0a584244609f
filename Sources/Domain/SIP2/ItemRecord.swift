/// What a library's side tells of one copy.
package struct ItemRecord: Sendable, Hashable {
  package let barcode: String?
  package let title: String
  package let status: CirculationStatus
  package let queueLength: Int?
  package let due: Due?
  package let pickupDate: Due?
  package let owner: String?
  package let permanentLocation: String?
  package let currentLocation: String?
  package let callNumber: String?
  package let collection: String?
  package let mediaType: String?
  package let messages: [String]

  /// Nil for a copy that the library does not know: it answers with an empty title and not with an
  /// error.
  package init?(_ message: Message) {
    guard let title = message.text(.title) else { return nil }
    self.title = title
    barcode = message.text(.item)
    status =
      message.number(.circulationStatus).flatMap { CirculationStatus(rawValue: $0) } ?? .other
    queueLength = message.number(.holdQueueLength)
    due = message.text(.dueDate).map { Due($0) }
    pickupDate = message.text(.holdPickupDate).map { Due($0) }
    owner = message.text(.owner)
    permanentLocation = message.text(.permanentLocation)
    currentLocation = message.text(.currentLocation)
    callNumber = message.text(.callNumber)
    collection = message.text(.collection)
    mediaType = message.text(.mediaType)
    messages = message.texts(.screenMessage)
  }
}

/// Where a copy is, by the paper's numbers.
package enum CirculationStatus: Int, Sendable, Hashable, CaseIterable {
  case other = 1
  case onOrder, available, charged, chargedUntilEarliestRecall, inProcess, recalled
  case onHoldShelf, toBeReshelved, inTransit, claimedReturned, lost, missing

  /// Whether a library that has not said otherwise takes holds on it.
  package var isUsuallyHoldable: Bool {
    switch self {
    case .onOrder, .available, .charged, .chargedUntilEarliestRecall, .inProcess, .recalled,
      .onHoldShelf, .toBeReshelved, .inTransit:
      true
    case .other, .claimedReturned, .lost, .missing: false
    }
  }
}

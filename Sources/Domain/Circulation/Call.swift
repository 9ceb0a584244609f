/// What every operation is told about the request it serves. Made once per request, so that no step
/// can give itself more time than the reader was promised.
package struct Call: Sendable {
  package let patron: PatronID?
  package let deadline: ContinuousClock.Instant
  /// The reader's word for one attempt, for logs and support.
  package let requestID: String
  /// The reader's network address, which some services' terms ask for.
  package var readerAddress: String?

  package init(
    patron: PatronID?, deadline: ContinuousClock.Instant, requestID: String,
    readerAddress: String? = nil
  ) {
    (self.patron, self.deadline, self.requestID) = (patron, deadline, requestID)
    self.readerAddress = readerAddress
  }
}

/// The operations of the protocol, as they are called in logs, errors and on the command line.
package enum Operation: String, Sendable, Hashable, CaseIterable {
  case checkAccount = "check_account"
  case harvest, search, availability, shelf
  case lookUp = "look_up"
  case checkOut = "check_out"
  case checkIn = "check_in"
  case renew
  case placeHold = "place_hold"
  case cancelHold = "cancel_hold"
  case suspendHold = "suspend_hold"
  case resumeHold = "resume_hold"
  case fulfil, branches, copies, list
}

/// What an adapter can do at all. An account's or an item's own terms may narrow it at run time,
/// with the same refusal.
package enum Capability: String, Sendable, Hashable, CaseIterable {
  /// The whole catalogue can be read.
  case harvest
  /// Changes since a cursor can be read.
  case harvestSince = "harvest_since"
  case search
  /// Titles are found by the numbers they go by elsewhere.
  case lookUp = "look_up"
  case availability
  case shelf
  case lending
  case earlyReturn = "early_return"
  case renewal
  case holds
  case suspension
  case fulfilment
  case physicalHolds = "physical_holds"
  case lists
  case listWriting = "list_writing"
  /// What changed on reading lists since a moment can be read.
  case listChanges = "list_changes"
  case ratings
  /// Reviews and the dates of reading.
  case remarks
  case friends

  package var sentence: String {
    switch self {
    case .harvest: "reads the whole catalogue"
    case .harvestSince: "reads what changed in the catalogue"
    case .search: "searches"
    case .lookUp: "finds titles by their numbers"
    case .availability: "tells what can be had now"
    case .shelf: "lists loans and holds"
    case .lending: "lends"
    case .earlyReturn: "takes a title back before its time"
    case .renewal: "renews"
    case .holds: "keeps a queue"
    case .suspension: "lets a hold rest"
    case .fulfilment: "hands out the book"
    case .physicalHolds: "puts paper copies aside at a branch"
    case .lists: "shows reading lists"
    case .listWriting: "changes reading lists"
    case .listChanges: "tells what changed on reading lists"
    case .ratings: "keeps ratings"
    case .remarks: "keeps reviews and dates of reading"
    case .friends: "shows friends' lists"
    }
  }
}

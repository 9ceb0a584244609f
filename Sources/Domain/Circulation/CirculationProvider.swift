package import FoundationEssentials

/// The one contract between the gateway and a source of books or lists. A value of it is bound to
/// one account (or, for open catalogues, to one library): whose secrets it carries is settled when
/// it is made, so no operation can mix two readers up.
///
/// Every operation but `describe` refuses until an adapter overrides what its provider can do and
/// declares it; the conformance suite checks both ways. No adapter retries, sleeps, logs a body or
/// touches the disk: the session around it does, or nobody does.
package protocol CirculationProvider: Sendable {
  static var capabilities: Set<Capability> { get }

  /// What is behind this value, without a word on the wire.
  func describe() -> ProviderDescription

  func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding

  /// One page of the catalogue; the first for a nil cursor. A page carries the cursor of the next.
  func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  func search(_ query: SearchQuery, in call: Call) async throws(CirculationError) -> [Edition]
  /// What is listed under the numbers of those books; a number may be wrong, so what comes back may
  /// be another book.
  func lookUp(_ books: [BookNumbers], in call: Call)
    async throws(CirculationError) -> LookUpAnswer
  /// An item that the provider does not know is answered as such; left out is only what could not be
  /// read.
  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]

  func shelf(in call: Call) async throws(CirculationError) -> Shelf
  func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError)
  func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome
  func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError)
  func suspendHold(on item: ItemID, days: Int?, in call: Call)
    async throws(CirculationError) -> Hold
  func resumeHold(on item: ItemID, in call: Call) async throws(CirculationError) -> Hold
  func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment

  func branches(in call: Call) async throws(CirculationError) -> [Branch]
  /// Where the title's copies stand, and where this reader may have one put aside.
  func copies(of item: ItemID, in call: Call) async throws(CirculationError) -> CopyList

  func lists(in call: Call) async throws(CirculationError) -> [ReadingList]
  func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  /// What changed on any list since then, newest first. What left a list is not among it.
  func changes(since moment: Date, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  /// What the reader said of a book, whole where lists cut it; nil where it is on no list.
  func entry(of item: ItemID, in call: Call) async throws(CirculationError) -> ListEntry?
  /// What the service calls a book that is to go on a list, the surest first.
  func find(_ book: SoughtBook, in call: Call) async throws(CirculationError) -> [FoundBook]
  func add(_ entry: ListEntry, to list: ListID, in call: Call) async throws(CirculationError)
  func remove(_ entry: ListEntry, from list: ListID, in call: Call)
    async throws(CirculationError)
  func move(_ entry: ListEntry, from list: ListID, to other: ListID, in call: Call)
    async throws(CirculationError)
  /// Gives the book the entry's rating; one without a rating takes away what was given.
  func rate(_ entry: ListEntry, in call: Call) async throws(CirculationError)
  /// Makes those parts as the entry says; what it does not say is taken away, and other parts stay
  /// as they are. Of several readings a service that keeps one keeps the last.
  func note(_ parts: Set<ListEntry.Part>, of entry: ListEntry, in call: Call)
    async throws(CirculationError)
  func friends(in call: Call) async throws(CirculationError) -> [ReadingFriend]
  /// A friend's lists; their items are asked for as one's own are.
  func lists(of friend: ReadingFriend, in call: Call)
    async throws(CirculationError) -> [ReadingList]
  /// What friends did lately, newest first.
  func news(in call: Call) async throws(CirculationError) -> [FriendNews]
}

package struct ProviderDescription: Sendable, Hashable {
  package let provider: ProviderID
  /// How many items one availability question may name; the session cuts longer lists.
  package let availabilityBatch: Int
  /// What becomes of lists at this account; nil where there are none.
  package let lists: ListTerms?

  package init(provider: ProviderID, availabilityBatch: Int, lists: ListTerms? = nil) {
    (self.provider, self.availabilityBatch) = (provider, availabilityBatch)
    self.lists = lists
  }
}

package struct SearchQuery: Sendable, Hashable {
  package var words: String
  package var onlyAvailable: Bool
  package var limit: Int

  package init(words: String, onlyAvailable: Bool = false, limit: Int = 25) {
    (self.words, self.onlyAvailable, self.limit) = (words, onlyAvailable, limit)
  }
}

package struct HoldOptions: Sendable, Hashable {
  /// Where the provider sends its own word that the hold is ready; nil asks it not to.
  package var email: String?
  /// For a physical copy: where it shall wait.
  package var pickup: BranchID?

  package init(email: String? = nil, pickup: BranchID? = nil) {
    (self.email, self.pickup) = (email, pickup)
  }
}

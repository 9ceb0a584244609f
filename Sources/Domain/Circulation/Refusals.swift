package import FoundationEssentials

/// The refusing defaults. An adapter overrides what its provider can do, and declares it.
extension CirculationProvider {
  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    throw refusal(.shelf, .checkAccount)
  }

  package func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    throw refusal(.harvest, .harvest)
  }

  package func search(_ query: SearchQuery, in call: Call)
    async throws(CirculationError) -> [Edition]
  {
    throw refusal(.search, .search)
  }

  package func lookUp(_ books: [BookNumbers], in call: Call)
    async throws(CirculationError) -> LookUpAnswer
  {
    throw refusal(.lookUp, .lookUp)
  }

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    throw refusal(.availability, .availability)
  }

  package func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    throw refusal(.shelf, .shelf)
  }

  package func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    throw refusal(.lending, .checkOut)
  }

  package func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    throw refusal(.earlyReturn, .checkIn)
  }

  package func renew(_ item: ItemID, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    throw refusal(.renewal, .renew)
  }

  package func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    throw refusal(options.pickup == nil ? .holds : .physicalHolds, .placeHold)
  }

  package func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    throw refusal(.holds, .cancelHold)
  }

  package func suspendHold(on item: ItemID, days: Int?, in call: Call)
    async throws(CirculationError) -> Hold
  {
    throw refusal(.suspension, .suspendHold)
  }

  package func resumeHold(on item: ItemID, in call: Call) async throws(CirculationError) -> Hold {
    throw refusal(.suspension, .resumeHold)
  }

  package func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    throw refusal(.fulfilment, .fulfil)
  }

  package func branches(in call: Call) async throws(CirculationError) -> [Branch] {
    throw refusal(.physicalHolds, .branches)
  }

  package func copies(of item: ItemID, in call: Call)
    async throws(CirculationError) -> CopyList
  {
    throw refusal(.physicalHolds, .copies)
  }

  package func lists(in call: Call) async throws(CirculationError) -> [ReadingList] {
    throw refusal(.lists, .list)
  }

  package func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    throw refusal(.lists, .list)
  }

  package func changes(since moment: Date, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    throw refusal(.listChanges, .list)
  }

  package func entry(of item: ItemID, in call: Call)
    async throws(CirculationError) -> ListEntry?
  {
    throw refusal(.remarks, .list)
  }

  package func find(_ book: SoughtBook, in call: Call)
    async throws(CirculationError) -> [FoundBook]
  {
    throw refusal(.listWriting, .list)
  }

  package func add(_ entry: ListEntry, to list: ListID, in call: Call)
    async throws(CirculationError)
  {
    throw refusal(.listWriting, .list)
  }

  package func remove(_ entry: ListEntry, from list: ListID, in call: Call)
    async throws(CirculationError)
  {
    throw refusal(.listWriting, .list)
  }

  package func move(_ entry: ListEntry, from list: ListID, to other: ListID, in call: Call)
    async throws(CirculationError)
  {
    throw refusal(.listWriting, .list)
  }

  package func rate(_ entry: ListEntry, in call: Call) async throws(CirculationError) {
    throw refusal(.ratings, .list)
  }

  package func note(_ parts: Set<ListEntry.Part>, of entry: ListEntry, in call: Call)
    async throws(CirculationError)
  {
    throw refusal(.remarks, .list)
  }

  package func friends(in call: Call) async throws(CirculationError) -> [ReadingFriend] {
    throw refusal(.friends, .list)
  }

  package func lists(of friend: ReadingFriend, in call: Call)
    async throws(CirculationError) -> [ReadingList]
  {
    throw refusal(.friends, .list)
  }

  package func news(in call: Call) async throws(CirculationError) -> [FriendNews] {
    throw refusal(.friends, .list)
  }

  private func refusal(_ capability: Capability, _ operation: Operation) -> CirculationError {
    CirculationError(.unsupported(capability), from: describe().provider, during: operation)
  }
}

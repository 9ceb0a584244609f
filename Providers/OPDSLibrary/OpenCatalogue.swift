import Circulation

/// A catalogue at which nobody signed in: what is free to all can be had, and there is no shelf that
/// could be asked for. What a reader takes is kept by us, as it is for any source that lends nothing.
struct OpenCatalogue: CirculationProvider {
  static let capabilities: Set<Capability> = [
    .harvest, .harvestSince, .search, .availability, .fulfilment,
  ]

  let catalogue: OPDSLibraryProvider

  func describe() -> ProviderDescription { catalogue.describe() }

  func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    try await catalogue.checkAccount(in: call)
  }

  func harvest(from cursor: HarvestCursor?, in call: Call)
    async throws(CirculationError) -> HarvestPage
  {
    try await catalogue.harvest(from: cursor, in: call)
  }

  func search(_ query: SearchQuery, in call: Call) async throws(CirculationError) -> [Edition] {
    try await catalogue.search(query, in: call)
  }

  func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    try await catalogue.availability(of: items, in: call)
  }

  func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    try await catalogue.fulfil(item, as: format, in: call)
  }
}

import Circulation
import FoundationEssentials

/// Pages of a feed as the catalogue takes them.
struct Pages: Sendable {
  let version: String
  let reading: FeedReading
  let now: Date
  let provider: ProviderID
  let media: Media
  /// The file is no good, and shall not be read again.
  let isNoGood: @Sendable () -> Void

  /// What was whole before a fault is a page; the fault is what follows it.
  func page(at offset: Int) async throws(CirculationError) -> HarvestPage {
    let read = await reading.page(at: offset)
    if let fault = read.fault, read.offset == offset { throw error(fault, after: offset) }
    let progress: HarvestPage.Progress =
      read.isLast
      ? .done(next: Place(.done, in: version).cursor)
      : .more(Place(.under(offset: read.offset), in: version).cursor)
    var page = HarvestPage(
      changes: read.editions.filter(media.lists).flatMap(changes), progress: progress)
    page.warnings = read.warnings
    return page
  }

  private func changes(_ edition: Edition) -> [HarvestPage.Change] {
    [.listed(edition), .availability(edition.item, Availability(.openAccess, asOf: now))]
  }

  private func error(_ fault: FeedFault, after offset: Int) -> CirculationError {
    let says = "\(fault.sentence); \(offset) books before it are whole"
    if case .unreadable = fault {
      return CirculationError(
        .notConfigured(what: "a readable file"), from: provider, during: .harvest,
        providerSays: says)
    }
    isNoGood()
    return CirculationError(
      .malformedResponse(expected: "a whole archive"), from: provider, during: .harvest,
      providerSays: says)
  }
}

package import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
package import ProviderKit

/// HathiTrust: millions of scanned volumes, of which those with open rights can be read at its own
/// pages. It lends nothing and knows no readers, so an account is no more than the wish to see it.
package struct HathiTrustProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [.lookUp, .availability, .fulfilment]

  package static let listing = ProviderListing(
    id: ProviderID("hathitrust"), title: "HathiTrust", capabilities: capabilities, fields: [],
    needs: Settings.needs, decode: Decoding.decode,
    make: { library, _, session throws(SettingsFault) in
      HathiTrustProvider(settings: try Settings(library), session: session)
    })

  let settings: Settings
  let session: Session

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: Self.batch)
  }

  /// Books in one question (§1).
  static let batch = 20
  /// The most records that one answer holds, however many there are (§1).
  static let mostRecords = 200

  package func lookUp(_ books: [BookNumbers], in call: Call)
    async throws(CirculationError) -> LookUpAnswer
  {
    var seen: Set<Wish> = []
    let wanted = books.map { (book: $0, wish: Wish($0)) }.filter {
      !$0.wish.numbers.isEmpty && seen.insert($0.wish).inserted
    }
    var answer = LookUpAnswer()
    var known: Set<String> = []
    for start in stride(from: 0, to: wanted.count, by: Self.batch) {
      let batch = wanted[start..<min(start + Self.batch, wanted.count)]
      let told = try await ask(batch.map(\.wish), .full, .lookUp, in: call)
      let now = session.clock.date()
      for ((book, wish), told) in zip(batch, told) {
        guard let told else {
          answer.unread.append(book)
          continue
        }
        for record in told.records(for: wish) where known.insert(record.number).inserted {
          answer.found.append(record.found(in: settings.country, asOf: now))
        }
      }
    }
    return answer
  }

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    var told: [ItemID: Availability] = [:]
    for batch in items.batches(of: Self.batch) {
      let wishes = batch.map { Number(of: $0).map { Wish([$0]) } }
      let asked = wishes.compactMap(\.self)
      let books = asked.isEmpty ? [] : try await whole(asked, .availability, in: call)
      let now = session.clock.date()
      var answers = books.makeIterator()
      for (item, wish) in zip(batch, wishes) {
        var records: [WireRecord] = []
        if let wish, let answer = answers.next() {
          guard let answer else { continue }
          records = answer.records(for: wish)
        }
        told[item] = Translation.availability(of: records, in: settings.country, asOf: now)
      }
    }
    return told
  }

  /// A page in the service's own reader; its books cannot be carried away (§3).
  package func fulfil(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> Fulfilment
  {
    guard let number = Number(of: item) else { throw failure(.titleGone, .fulfil) }
    let wish = Wish([number])
    let records = try await ask([wish], .brief, .fulfil, in: call)[0]?.records(for: wish) ?? []
    guard !records.isEmpty else { throw failure(.titleGone, .fulfil) }
    let open = records.flatMap { $0.open(in: settings.country) }
    guard !open.isEmpty else { throw failure(.noLicenses, .fulfil, says: "search only") }
    guard let volume = open.first(where: { format == nil || $0.format.id == format?.id }) else {
      throw failure(.formatUnavailable, .fulfil)
    }
    return .handOff(Fulfilment.Link(address: volume.address, format: volume.format))
  }

  // MARK: - Asking

  /// An answer that is full may lack records, so what it was asked for is asked again in halves.
  private func whole(_ wishes: [Wish], _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [WireBook?]
  {
    let books = try await ask(wishes, .brief, operation, in: call)
    let count = books.reduce(0) { $0 + ($1?.records.count ?? 0) }
    guard count >= Self.mostRecords, wishes.count > 1 else { return books }
    let half = wishes.count / 2
    return try await whole(Array(wishes[..<half]), operation, in: call)
      + whole(Array(wishes[half...]), operation, in: call)
  }

  /// As many answers as wishes, in their order; nil where one cannot be read among others that can.
  private func ask(
    _ wishes: [Wish], _ detail: Detail, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [WireBook?] {
    let reply = try await session.send(
      settings.volumes(wishes, detail), operation, in: call)
    let answer = try Documents.answer(
      status: reply.status.code, body: reply.body, retryAfter: reply.retryAfter, operation)
    let books = wishes.indices.map { answer[Settings.label($0)] }
    guard books.contains(where: { $0 != nil }) else {
      throw Documents.malformed("an answer to every question", operation)
    }
    return books
  }

  private func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String? = nil
  ) -> CirculationError {
    Documents.failure(reason, operation, says: says)
  }
}

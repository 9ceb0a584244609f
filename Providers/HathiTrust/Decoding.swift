import Circulation
import FoundationEssentials
import ProviderKit

/// Recorded bodies, read by the functions that the operations read with, for a reader in the United
/// States, where most is open.
enum Decoding {
  static func decode(
    _ kind: String, _ status: Int, _ during: Circulation.Operation?, _ body: [UInt8], _ now: Date
  ) -> Decoded {
    rows.decoded(kind, during: during) { operation in
      Asked(status: status, body: body, operation: operation, now: now)
    }
  }

  private struct Asked {
    let status: Int
    let body: [UInt8]
    let operation: Circulation.Operation
    let now: Date

    /// All records, in the order of their numbers.
    func records() throws(CirculationError) -> [WireRecord] {
      let books = try Documents.answer(
        status: status, body: body, retryAfter: nil, operation)
      return books.values.flatMap(\.records).sorted { $0.number < $1.number }
    }
  }

  private typealias Row = RecordedKind<Asked>

  private static let country = Country.unitedStates

  private static let rows: [Row] = [
    Row(kind: "edition", operation: .lookUp) { asked throws(CirculationError) in
      guard let record = try asked.records().first else {
        throw Documents.failure(.titleGone, asked.operation, says: nil)
      }
      return .edition(record.edition(in: country))
    },
    Row(kind: "editions", operation: .lookUp) { asked throws(CirculationError) in
      let editions = try asked.records().map { $0.edition(in: country) }
      return .editions(editions, next: nil, total: editions.count)
    },
    Row(kind: "availability", operation: .availability) { asked throws(CirculationError) in
      let pairs = try asked.records().map { record in
        (
          ItemID(record.number),
          Translation.availability(of: [record], in: country, asOf: asked.now)
        )
      }
      return .availability(Dictionary(pairs) { first, _ in first })
    },
    Row(kind: "fulfilment", operation: .fulfil) { asked throws(CirculationError) in
      let records = try asked.records()
      guard !records.isEmpty else {
        throw Documents.failure(.titleGone, asked.operation, says: nil)
      }
      guard let volume = records.flatMap({ $0.open(in: country) }).first else {
        throw Documents.failure(.noLicenses, asked.operation, says: "search only")
      }
      return .fulfilment(
        .handOff(Fulfilment.Link(address: volume.address, format: volume.format)))
    },
    Row(kind: "hathifile", operation: .lookUp) { asked throws(CirculationError) in
      let editions = HathifileRow.rows(asked.body).map { $0.edition(in: country) }
      guard !editions.isEmpty else {
        throw Documents.malformed("rows of volumes", asked.operation)
      }
      return .editions(editions, next: nil, total: editions.count)
    },
    Row(kind: "error", operation: .availability) { asked throws(CirculationError) in
      _ = try asked.records()
      throw Documents.malformed("an error", asked.operation)
    },
  ]
}

import Archive
import CSV
import Circulation
import Compression
import FoundationEssentials
import HTTP
import ProviderKit

/// Recorded files, read by the functions that the operations read with.
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

    func failure(_ reason: CirculationError.Reason, _ says: String? = nil) -> CirculationError {
      CirculationError(
        reason, from: GutenbergProvider.listing.id, during: operation, providerSays: says)
    }

    func checked() throws(CirculationError) {
      let isWhole = operation == .harvest
      if let (reason, says) = Failures.reason(status: status, retryAfter: nil, whole: isWhole) {
        throw failure(reason, says)
      }
    }

    func record() throws(CirculationError) -> Record {
      try checked()
      do throws(RecordFault) { return try Record.reading(body).record } catch {
        throw failure(.malformedResponse(expected: "the record of a book"), "\(error)")
      }
    }
  }

  private typealias Row = RecordedKind<Asked>

  private static let rows: [Row] = [
    Row(kind: "edition", operation: .fulfil) { asked throws(CirculationError) in
      if TableReading.isTable(asked.body), let first = try editions(asked).first {
        return .edition(first)
      }
      return .edition(try asked.record().edition().edition)
    },
    Row(kind: "editions", operation: .harvest) { asked throws(CirculationError) in
      .editions(try editions(asked), next: nil, total: nil)
    },
    Row(kind: "availability", operation: .availability) { asked throws(CirculationError) in
      let found = try editions(asked)
      return .availability(
        Dictionary(
          found.map { ($0.item, OpenAccess.availability(of: $0.item, asOf: asked.now)) }
        ) { first, _ in first })
    },
    Row(kind: "fulfilment", operation: .fulfil) { asked throws(CirculationError) in
      guard let settings = try? Settings.production() else {
        throw asked.failure(.notConfigured(what: "addresses"))
      }
      guard let handed = try asked.record().fulfilment(as: nil, by: settings) else {
        throw asked.failure(.formatUnavailable)
      }
      return .fulfilment(handed)
    },
    Row(kind: "error", operation: .fulfil) { asked throws(CirculationError) in
      _ = try asked.record()
      throw asked.failure(.malformedResponse(expected: "an error"))
    },
  ]

  /// An archive, packed or not, the table, or one record.
  private static func editions(_ asked: Asked) throws(CirculationError) -> [Edition] {
    try asked.checked()
    let body = asked.body
    if body.starts(with: [0x42, 0x5A, 0x68]) {
      let unpacked: [UInt8]
      do throws(CompressionError) { unpacked = try BZip2.decompress(body, limit: 1 << 30) } catch {
        throw asked.failure(.malformedResponse(expected: "a whole archive"), "\(error)")
      }
      return try archived(unpacked, asked)
    }
    if body.dropFirst(257).starts(with: Array("ustar".utf8)) { return try archived(body, asked) }
    guard TableReading.isTable(body), var table = try? CSVTable(body) else {
      return [try asked.record().edition().edition]
    }
    var found: [Edition] = []
    while true {
      do throws(CSVError) {
        guard let row = try table.next() else { return found }
        if let record = TableReading.record(row) { found.append(record.edition().edition) }
      } catch {
        // A bad row costs only itself.
        continue
      }
    }
  }

  private static func archived(_ bytes: [UInt8], _ asked: Asked)
    throws(CirculationError) -> [Edition]
  {
    var tar = TarReader { MemberName.number($0) != nil }
    tar.feed(bytes)
    var found: [Edition] = []
    while true {
      let step: TarReader.Step
      do throws(TarError) { step = try tar.next() } catch {
        throw asked.failure(.malformedResponse(expected: "a whole archive"), "\(error)")
      }
      switch step {
      case .member(let member):
        if let (record, _) = try? Record.reading(member.bytes) {
          found.append(record.edition().edition)
        }
      case .tooLarge: continue
      case .needsMore, .end: return found
      }
    }
  }
}

extension Settings {
  /// As the site has them, where no library says otherwise.
  static func production() throws -> Settings {
    let texts = needs.environments["production"] ?? [:]
    let endpoints = try texts.mapValues { try Address($0) }
    let listing = GutenbergProvider.listing
    return try Settings(
      Library(
        id: LibraryID(listing.id.rawValue), provider: listing.id, name: listing.title,
        endpoints: endpoints))
  }
}

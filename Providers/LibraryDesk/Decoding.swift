import Circulation
import FoundationEssentials
import JSON
import Machine
import ProviderKit

/// Recorded answers of the systems that a desk is made of, read by what the operations read them
/// with.
enum Decoding {
  private static let kinds = ["holds", "copies", "record", "records", "patron", "dump"]

  static func decode(
    _ kind: String, _ status: Int, _ operation: Circulation.Operation?, _ body: [UInt8], _ now: Date
  ) -> Decoded {
    guard kinds.contains(kind) else { return .unknownKind(kinds) }
    do throws(CirculationError) {
      guard (200..<300).contains(status) else {
        let answer = KohaAnswer(status: status, body: body)
        try KohaRefusals.check(answer, operation ?? .placeHold)
        throw answer.failure(operation ?? .shelf)
      }
      return try decode(kind, body, now)
    } catch {
      return .failure(error)
    }
  }

  private static let calendar = LibraryCalendar(zone: Zone(named: "Etc/UTC"))

  private static func decode(
    _ kind: String, _ body: [UInt8], _ now: Date
  ) throws(CirculationError) -> Decoded {
    switch kind {
    case "holds":
      let holds = try rows(body, .shelf).map(KohaHold.init)
      guard !holds.contains(where: { $0 == nil }) else { throw Failures.malformed("holds", .shelf) }
      return .holds(holds.compactMap { $0?.hold(calendar) })
    case "copies":
      var titles: [Int: KohaTitle] = [:]
      for row in try rows(body, .availability) {
        guard let item = KohaItem(row) else { throw Failures.malformed("copies", .availability) }
        titles[item.title, default: KohaTitle()].items.append(item)
      }
      return .availability(
        Dictionary(
          uniqueKeysWithValues: titles.map { number, title in
            (ItemName.title(String(number)).item, Availability(title.status, asOf: now))
          }))
    case "record":
      let record =
        (try? JSONValue(parsing: body, by: .tolerant)).flatMap { MARCRecord($0) }
        ?? (try? WireXML(parsing: body)).flatMap { MARCRecord($0) }
      guard let edition = record?.edition(named: ItemID("title-1")) else {
        throw Failures.malformed("a record in MARC", .lookUp)
      }
      return .edition(edition)
    case "records":
      let records = try SRUReply.records(in: body, .lookUp)
      return .editions(
        records.compactMap { $0.edition(named: ItemID("title-1")) }, next: nil,
        total: records.count)
    case "patron":
      guard let json = KohaAnswer(status: 200, body: body).json, let patron = KohaPatron(json)
      else { throw Failures.malformed("a patron", .checkAccount) }
      return .account(standing(of: patron.reader, now))
    default:
      guard
        let reader = PatronDump(String(decoding: body, as: UTF8.self))?
          .reader(signedInBy: "", harmless: [])
      else { throw Failures.malformed("a patron", .checkAccount) }
      return .account(standing(of: reader, now))
    }
  }

  private static func rows(_ body: [UInt8], _ operation: Circulation.Operation)
    throws(CirculationError) -> [JSONValue]
  {
    guard let rows = KohaAnswer(status: 200, body: body).json?.array else {
      throw Failures.malformed("a list", operation)
    }
    return rows
  }

  /// By the marks of the system alone: what the library makes of them, its settings say.
  private static func standing(of reader: DeskReader, _ now: Date) -> AccountStanding {
    var standing = AccountStanding(loanLimit: reader.loanLimit, holdLimit: reader.holdLimit)
    standing.expires = reader.lastDay.map(calendar.end)
    standing.blocks = reader.blocks
    standing.identity = reader.identity
    return standing
  }
}

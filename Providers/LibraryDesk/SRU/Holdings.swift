import Circulation
import Machine
import ProviderKit

/// Where a library's records tell of copies: one field for each, and a sign for each thing that it
/// says.
struct Holdings: Sendable {
  private let tag: String
  private let branch: String
  private let place: String?
  private let callNumber: String?
  private let barcode: String?
  private let status: String?
  private let due: String?
  /// Of Koha's field: marks that are nought where all is well.
  private let isKoha: Bool

  /// `952` and `852` and `945` alone mean what Koha, most systems and Sierra write; or all is said,
  /// as in `949: branch=l call=a barcode=i status=s due=d`.
  init(_ library: Library) throws(SettingsFault) {
    let text = (library.settings["sru_holdings"] ?? "952").trimmingBlanks
    func fault() -> SettingsFault {
      SettingsFault(
        library.id, "sru_holdings",
        "is no field such as 952, or 949: branch=l call=a barcode=i status=s due=d")
    }
    let parts = text.split(separator: ":", maxSplits: 1).map { String($0).trimmingBlanks }
    guard let tag = parts.first, tag.utf8.count == 3, Int(tag) != nil else { throw fault() }
    self.tag = tag
    guard parts.count > 1 else {
      let usual: [String: [String: String]] = [
        "952": ["branch": "b", "place": "c", "call": "o", "barcode": "p", "due": "q"],
        "852": ["branch": "b", "place": "c", "call": "h", "barcode": "p"],
        "945": ["branch": "l", "call": "a", "barcode": "i", "status": "s"],
      ]
      guard let signs = usual[tag], let branch = signs["branch"] else { throw fault() }
      self.branch = branch
      (place, callNumber, barcode) = (signs["place"], signs["call"], signs["barcode"])
      (status, due, isKoha) = (signs["status"], signs["due"], tag == "952")
      return
    }
    var signs: [String: String] = [:]
    for word in parts[1].words(at: " ") {
      let pair = word.parts(at: "=")
      guard pair.count == 2, pair[1].utf8.count == 1,
        ["branch", "place", "call", "barcode", "status", "due"].contains(pair[0])
      else { throw fault() }
      signs[pair[0]] = pair[1]
    }
    guard let branch = signs["branch"] else { throw fault() }
    self.branch = branch
    (place, callNumber, barcode) = (signs["place"], signs["call"], signs["barcode"])
    (status, due, isKoha) = (signs["status"], signs["due"], tag == "952")
  }

  func copies(in record: MARCRecord, _ desk: Settings) -> [Copy] {
    record.all(tag).map { field in
      let code = field[branch] ?? (isKoha ? field["a"] : nil)
      var copy = Copy(at: code.map(desk.branch), state(field))
      copy.barcode = barcode.flatMap { field[$0] }
      copy.place = place.flatMap { field[$0] }
      copy.callNumber = callNumber.flatMap { field[$0] }
      copy.due = due.flatMap { field[$0] }.flatMap { CivilDate(written: $0) }
        .map { desk.calendar.end(of: $0) }
      return copy
    }
  }

  private func state(_ field: MARCRecord.Field) -> Copy.State {
    if isKoha {
      func mark(_ code: String) -> Int? { field[code].map { Int($0) ?? 1 } ?? 0 }
      if mark("1") != 0 || mark("4") != 0 || mark("0") != 0 { return .missing }
      if let kept = mark("7"), kept != 0 { return kept < 0 ? .onOrder : .reference }
      return field["q"] == nil ? .available : .out
    }
    if let due, field[due] != nil { return .out }
    guard let status, let word = field[status]?.lowercased() else { return .unknown }
    switch word {
    case "-", "available", "a", "on shelf", "in library", "0": return .available
    case "o", "not for loan", "reference": return .reference
    case "t", "in transit": return .inTransit
    case "!", "on holdshelf", "on hold shelf": return .onHoldShelf
    case "m", "n", "z", "$", "missing", "lost", "withdrawn", "damaged": return .missing
    case "on order", "w": return .onOrder
    case _ where word.holds("due") || word.holds("checked out"): return .out
    default: return .unknown
    }
  }
}

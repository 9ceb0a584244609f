import Circulation
import Machine
import ProviderKit
import SIP2

/// A rule of the library's own making that keeps readers from having anything new, such as
/// `minors: {age} < 13 => Children borrow at the desk.` What cannot be judged blocks.
struct BlockRule: Sendable {
  let name: String
  let message: String
  private let expression: Expression

  /// The most signs of one expression.
  static let longest = 1000
  static let most = 50

  /// One a line; lines that begin with # are remarks.
  static func rules(_ library: Library) throws(SettingsFault) -> [BlockRule] {
    let lines = (library.settings["block_rules"] ?? "").words(at: "\n").filter {
      !$0.hasPrefix("#")
    }
    guard lines.count <= most else {
      throw SettingsFault(library.id, "block_rules", "has more than \(most) rules")
    }
    var rules: [BlockRule] = []
    for line in lines {
      do throws(Fault) { rules.append(try BlockRule(line)) } catch {
        throw SettingsFault(
          library.id, "block_rules", "has a rule that \(error): \(line.prefix(60))")
      }
    }
    return rules
  }

  init(_ line: String) throws(Fault) {
    guard let arrow = line.firstRange(of: "=>"), let colon = line.firstIndex(of: ":"),
      colon < arrow.lowerBound
    else { throw Fault("is not 'NAME: EXPRESSION => MESSAGE'") }
    name = String(line[..<colon]).trimmingBlanks
    message = String(line[arrow.upperBound...]).trimmingBlanks
    let text = String(line[line.index(after: colon)..<arrow.lowerBound])
    guard !name.isEmpty, !message.isEmpty else { throw Fault("has no name or no message") }
    guard message.utf8.count <= 300 else { throw Fault("has a message of more than 300 bytes") }
    guard text.unicodeScalars.count <= Self.longest else {
      throw Fault("is longer than \(Self.longest) signs")
    }
    expression = try Expression(parsing: text)
    // What is wrong with it shows at the start, and not when the first reader comes.
    guard case .truth = try expression.value(with: Fields.sample) else {
      throw Fault("is neither true nor false")
    }
  }

  /// Nil where the rule lets the reader pass.
  func block(_ reader: DeskReader, today: CivilDate) -> AccountBlock? {
    do throws(Fault) {
      guard case .truth(let isBlocked) = try expression.value(with: Fields(reader, today)) else {
        throw Fault("is neither true nor false")
      }
      return isBlocked ? AccountBlock(.rule, message) : nil
    } catch {
      return AccountBlock(.rule, message, note: "rule '\(name)' \(error)")
    }
  }

  struct Fault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// What a rule may ask about, by name.
  struct Fields: Sendable {
    private let values: [String: Value]

    init(_ reader: DeskReader, _ today: CivilDate) {
      var values: [String: Value] = ["today": .text(today.text), "card": .text(reader.card)]
      values["fines"] = reader.owed.map { .number($0.tenThousandths) }
      values["patron_type"] = reader.kind.map { .text($0) }
      values["home"] = reader.home.map { .text($0) }
      values["expires"] = reader.lastDay.map { .text($0.text) }
      values["born"] = reader.born.map { .text($0.text) }
      values["age"] = reader.born.map { .number(10_000 * Int64(Self.years(since: $0, today))) }
      self.values = values
    }

    /// By which rules are tried when the settings are read.
    static let sample: Fields = {
      var reader = DeskReader(id: "1", card: "23000000000001")
      (reader.kind, reader.home, reader.owed) = ("1", "main", Amount(tenThousandths: 12_5000))
      reader.lastDay = CivilDate(daysSinceEpoch: 30_000)
      reader.born = CivilDate(daysSinceEpoch: 10_000)
      return Fields(reader, CivilDate(daysSinceEpoch: 20_000))
    }()

    func value(of name: String) throws(Fault) -> Value {
      guard Self.names.contains(name) else { throw Fault("asks for the unknown field {\(name)}") }
      guard let value = values[name] else { throw Fault("cannot be judged: {\(name)} is not told") }
      return value
    }

    /// Whole years, reckoned by the calendar.
    static func years(since birth: CivilDate, _ today: CivilDate) -> Int {
      let isBefore = (today.month, today.day) < (birth.month, birth.day)
      return today.year - birth.year - (isBefore ? 1 : 0)
    }

    private static let names: Set<String> = [
      "today", "card", "fines", "patron_type", "home", "expires", "born", "age",
    ]
  }

  /// Numbers count ten-thousandths, so that money is never rounded.
  enum Value: Sendable, Hashable {
    case number(Int64)
    case text(String)
    case truth(Bool)
  }
}

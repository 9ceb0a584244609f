import Circulation
import ProviderKit

/// Names as the catalogue files them, and as people say them.
enum PersonReading {
  static func contributor(_ credit: Record.Credit) -> Contributor {
    let filed = credit.agent.name
    let spoken = spoken(filed)
    return Contributor(
      name: spoken, sortName: spoken == filed ? nil : filed, role: credit.role.nearest,
      born: credit.agent.born?.number, died: credit.agent.died?.number)
  }

  /// `Kennedy, John F. (John Fitzgerald)` is John F. Kennedy, `Davis, John Francis, Sir` is Sir
  /// John Francis Davis, and a body without a comma is called as it is written.
  static func spoken(_ filed: String) -> String {
    let plain = withoutBrackets(filed)
    var parts = plain.words(at: ",")
    guard parts.count > 1 else { return plain.isEmpty ? filed : plain }
    if parts.count == 2, !isRank(parts[1]) { return PersonName.spoken(plain) }
    let family = parts.removeFirst()
    var before: [String] = []
    var behind: [String] = []
    var given = ""
    for part in parts {
      if leading.contains(part.lowercased()) {
        before.append(part)
      } else if given.isEmpty, !isRank(part), !isSuffix(part) {
        given = part
      } else {
        behind.append(part)
      }
    }
    // `Chateaubriand, François-René, vicomte de`: the rank leads to the name.
    if let rank = behind.first, let last = rank.split(separator: " ").last,
      particles.contains(last.lowercased())
    {
      return joined([given + ",", rank, family] + behind.dropFirst())
    }
    // `Byron, George Gordon Byron, Baron`: the given names have the family's in them.
    let name =
      given.split(separator: " ").last.map(String.init) == family ? [given] : [given, family]
    let said = joined(before + name)
    return ([said] + behind).joined(separator: ", ")
  }

  private static func joined(_ words: [String]) -> String {
    words.filter { !$0.isEmpty && $0 != "," }.joined(separator: " ")
  }

  private static func withoutBrackets(_ name: String) -> String {
    guard name.utf8.contains(where: { $0 == 0x28 || $0 == 0x29 }) else {
      let line = name.inOneLine
      return line.holds(" ,") ? line.replacing(" ,", with: ",") : line
    }
    var (kept, depth) = ("", 0)
    for sign in name {
      if sign == "(" { depth += 1 }
      if depth == 0 { kept.append(sign) }
      if sign == ")" { depth = max(0, depth - 1) }
    }
    return kept.split(separator: " ").joined(separator: " ").replacing(" ,", with: ",")
  }

  private static let leading: Set<String> = [
    "sir", "saint", "dame", "lady", "lord", "dr.", "mrs.", "mr.", "rev.", "st.",
  ]
  private static let particles: Set<String> = [
    "de", "von", "of", "du", "zu", "di", "des", "da", "van", "del", "della",
  ]

  private static let suffixes: Set<String> = ["jr.", "jr", "sr.", "sr", "ii", "iii", "iv", "esq."]

  private static func isSuffix(_ part: String) -> Bool {
    part.utf8.count < 5 && suffixes.contains(part.lowercased())
  }

  private static let ranks: Set<String> = [
    "king", "queen", "emperor", "empress", "duke", "duchess", "bishop", "archbishop", "pope",
    "baron", "baroness", "earl", "countess", "count", "marquis", "marquess", "viscount", "prince",
    "princess", "comte", "comtesse", "vicomte", "vicomtesse", "marquise", "duc", "duchesse",
    "graf", "freiherr", "cardinal", "abbot", "abbé", "sultan", "tsar", "of",
  ]

  /// `Queen of England`, `Baron`, `comte de`: no given name.
  private static func isRank(_ part: String) -> Bool {
    let words = part.lowercased().words(at: " ")
    guard let first = words.first, ranks.contains(first) else { return false }
    return words.count == 1 || words.dropFirst().contains(where: particles.contains)
  }
}

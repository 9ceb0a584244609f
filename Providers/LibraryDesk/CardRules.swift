import Circulation
import ProviderKit
import Secrets

/// What a library's cards and PINs look like, and which of a shared system's readers are its own.
struct CardRules: Sendable {
  /// What besides the card makes a reader.
  enum Proof: String, Sendable, CaseIterable {
    case pin
    case familyName = "family_name"
    case none
  }

  let proof: Proof
  let cardLabel: String
  let pinLabel: String
  let cardPattern: String?
  let pinPattern: String?
  let cardLength: Int
  let pinLength: Int
  let trimsPIN: Bool
  let restriction: Restriction?

  init(_ library: Library) throws(SettingsFault) {
    guard let proof = Proof(rawValue: library.settings["proof"] ?? "pin") else {
      throw SettingsFault(library.id, "proof", "is none of pin, family_name and none")
    }
    self.proof = proof
    cardLabel = library.settings["card_label"] ?? "Library card number"
    pinLabel =
      library.settings["pin_label"] ?? (proof == .familyName ? "Family name" : "PIN")
    cardPattern = try Self.pattern("card_pattern", library)
    pinPattern = try Self.pattern("pin_pattern", library)
    cardLength = try Self.length("card_length", library, 64)
    pinLength = try Self.length("pin_length", library, 64)
    trimsPIN = try library.flag("pin_trimmed", default: true)
    restriction = try Restriction(library)
  }

  /// Letters, digits, `@ . -`, where the library says nothing else.
  func takes(card: String) -> Bool {
    guard card.utf8.count <= cardLength else { return false }
    if let cardPattern { return Self.matches(card, cardPattern) }
    return card.unicodeScalars.allSatisfy { sign in
      sign.properties.isAlphabetic || sign.properties.numericType != nil
        || "@.-".unicodeScalars.contains(sign)
    }
  }

  /// Any sign that can be typed, leading zeros and letters among them.
  func takes(pin: Secret) -> Bool {
    guard (1...pinLength).contains(pin.count) else { return false }
    return pin.revealText { text in
      guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
      else { return false }
      return pinPattern.map { Self.matches(text, $0) } ?? true
    }
  }

  private static func length(
    _ name: String, _ library: Library, _ usual: Int
  ) throws(SettingsFault) -> Int {
    guard let text = library.settings[name] else { return usual }
    guard let length = Int(text), (1...255).contains(length) else {
      throw SettingsFault(library.id, name, "is no number from 1 to 255")
    }
    return length
  }

  private static func pattern(
    _ name: String, _ library: Library
  ) throws(SettingsFault) -> String? {
    guard let text = library.settings[name] else { return nil }
    guard text.utf8.count <= 200, (try? Regex(text)) != nil else {
      throw SettingsFault(library.id, name, "is no pattern of at most 200 signs")
    }
    return text
  }

  /// The whole of it. A pattern was tried when the settings were read.
  static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let pattern = try? Regex(pattern) else { return false }
    return (try? pattern.wholeMatch(in: text)) != nil
  }
}

/// Which readers of a system that several libraries share are this library's. It is asked only
/// after the PIN was right: else it would tell who has a card where.
struct Restriction: Sendable {
  enum Field: String, Sendable, CaseIterable { case card, home, type }

  enum Kind: Sendable {
    case regex(String)
    case prefix(String)
    case string(String)
    case list(Set<String>)
  }

  let field: Field
  let kind: Kind

  /// Nil where all are welcome.
  init?(_ library: Library) throws(SettingsFault) {
    let word = library.settings["restriction"] ?? "none"
    guard word != "none" else { return nil }
    guard let field = Field(rawValue: library.settings["restriction_field"] ?? "card") else {
      throw SettingsFault(library.id, "restriction_field", "is none of card, home and type")
    }
    let value = try library.setting("restriction_value")
    switch word {
    case "regex":
      guard value.utf8.count <= 200, (try? Regex(value)) != nil else {
        throw SettingsFault(library.id, "restriction_value", "is no pattern")
      }
      kind = .regex(value)
    case "prefix": kind = .prefix(value)
    case "string": kind = .string(value)
    case "list": kind = .list(Set(value.words(at: ",")))
    default:
      throw SettingsFault(
        library.id, "restriction", "is none of none, regex, prefix, string and list")
    }
    self.field = field
  }

  func admits(_ reader: DeskReader) -> Bool {
    let text: String? =
      switch field {
      case .card: reader.card
      case .home: reader.home
      case .type: reader.kind
      }
    // What the system does not tell cannot be the right thing.
    guard let text else { return false }
    switch kind {
    case .regex(let pattern): return CardRules.matches(text, pattern)
    case .prefix(let prefix): return text.hasPrefix(prefix)
    case .string(let word): return text == word
    case .list(let words): return words.contains(text)
    }
  }
}

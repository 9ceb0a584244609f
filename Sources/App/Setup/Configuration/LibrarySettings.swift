import Arguments
import Yaml

/// One library as the settings file tells it. Which keys a provider knows is the provider's to say;
/// here stands what was written, and where.
package struct LibrarySettings: Sendable, Hashable {
  package struct Text: Sendable, Hashable {
    package let value: String
    package let place: ConfigurationFault.Place

    package init(value: String, place: ConfigurationFault.Place) {
      (self.value, self.place) = (value, place)
    }
  }

  package let id: String
  package let place: ConfigurationFault.Place
  package let provider: Text
  package let name: String?
  /// Where its clocks are, as `Europe/Berlin`; nil for where the gateway stands.
  package let timeZone: Text?
  /// The name of a set of addresses, such as `production`.
  package let environment: Text?
  /// Addresses of its own, by the provider's names for them.
  package let endpoints: [String: Text]
  /// What readers are told of it, which no adapter can find out.
  package let facts: Facts
  /// Everything else, by key.
  package let settings: [String: Text]
  /// Where each key stands, those without a value included; an address is `endpoints.NAME`.
  package let keys: [String: ConfigurationFault.Place]
  /// All that was written, without where it stands.
  package let content: [String: String]

  /// The keys that a library at any provider may have.
  package static let commonKeys = [
    "provider", "name", "time_zone", "endpoints", "barcode", "join_at", "cards_without_pin",
    "members", "patrons_link", "adobe_name", "adobe_secret_file",
  ]
}

extension LibrarySettings {
  package struct Facts: Sendable, Hashable {
    /// The kind of bars on its cards; nil where the number tells.
    package var bars: String?
    /// The page where one becomes a member.
    package var joining: String?
    /// Whether it gives out cards without a PIN. Still read, and only warned of: a number alone signs
    /// nobody in.
    package var asksForNoPIN = false
    /// Whether its readers come in by card and PIN although nobody linked the card here, where it checks
    /// PINs.
    package var admitsMembers = false
    /// Whether patrons link its cards; else only the operator does.
    package var patronsLink = true
    /// How Adobe's vendor knows it, and the file of the secret that both have.
    package var adobe: Adobe?

    package struct Adobe: Sendable, Hashable {
      package let name: String
      package let secretFile: String
      /// Where that file is named.
      package let place: ConfigurationFault.Place
    }

    package init() {}

    package static let kindsOfBars = ["codabar", "code39", "code128"]
  }

  /// One that is there for everybody, without a word in the settings.
  package init(open id: String, at provider: String, name: String) {
    self.init(
      id: id, place: .whole, provider: Text(value: provider, place: .whole), name: name,
      timeZone: nil, environment: nil, endpoints: [:], facts: Facts(), settings: [:], keys: [:],
      content: [:])
  }
}

extension SettingsFile {
  mutating func readLibraries(_ node: YamlNode) {
    if node.isNull { return }
    guard let mapping = node.mapping else {
      return complain(
        node.position, "libraries", "'libraries' is a group of libraries, each under its own name")
    }
    for entry in mapping.entries { readLibrary(entry) }
  }

  private mutating func readLibrary(_ entry: YamlMapping.Entry) {
    let key = "libraries.\(entry.key)"
    let isName =
      !entry.key.isEmpty && entry.key.count <= 64
      && entry.key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    guard isName else {
      return complain(
        entry.keyPosition, key, "a library is named by letters, digits, - and _: '\(entry.key)'")
    }
    guard let mapping = entry.value.mapping else {
      return complain(entry.value.position, key, "\(key) is a group of settings")
    }
    var texts: [String: LibrarySettings.Text] = [:]
    var endpoints: [String: LibrarySettings.Text] = [:]
    var keys: [String: ConfigurationFault.Place] = [:]
    for member in mapping.entries {
      keys[member.key] = place(member.keyPosition)
      if member.key == "endpoints", let addresses = member.value.mapping {
        for address in addresses.entries {
          keys["endpoints.\(address.key)"] = place(address.keyPosition)
          endpoints[address.key] = text(of: address, in: "\(key).endpoints")
        }
      } else {
        texts[member.key] = text(of: member, in: key)
      }
    }
    let content = texts.mapValues(\.value).merging(
      endpoints.map { ("endpoints.\($0)", $1.value) }, uniquingKeysWith: { $1 })
    guard let provider = texts.removeValue(forKey: "provider") else {
      return complain(
        entry.keyPosition, "\(key).provider", "\(key) does not say which provider it is at")
    }
    let facts = facts(&texts, key)
    libraries.append(
      LibrarySettings(
        id: entry.key, place: place(entry.keyPosition), provider: provider,
        name: texts.removeValue(forKey: "name")?.value,
        timeZone: texts.removeValue(forKey: "time_zone"),
        environment: texts.removeValue(forKey: "endpoints"), endpoints: endpoints,
        facts: facts, settings: texts, keys: keys, content: content))
  }

  private mutating func facts(
    _ texts: inout [String: LibrarySettings.Text], _ key: String
  ) -> LibrarySettings.Facts {
    var facts = LibrarySettings.Facts()
    if let kind = texts.removeValue(forKey: "barcode") {
      facts.bars = kind.value
      if !LibrarySettings.Facts.kindsOfBars.contains(kind.value) {
        let known = LibrarySettings.Facts.kindsOfBars.joined(separator: ", ")
        complain(kind, "\(key).barcode", "\(key).barcode is one of \(known), not '\(kind.value)'")
      }
    }
    if let page = texts.removeValue(forKey: "join_at") {
      facts.joining = page.value
      if !page.value.hasPrefix("https://"), !page.value.hasPrefix("http://") {
        complain(page, "\(key).join_at", "\(key).join_at must be a web address")
      }
    }
    facts.asksForNoPIN = flag("cards_without_pin", &texts, key)
    facts.admitsMembers = flag("members", &texts, key)
    facts.patronsLink = flag("patrons_link", default: true, &texts, key)
    facts.adobe = adobe(&texts, key)
    return facts
  }

  private mutating func flag(
    _ name: String, default standard: Bool = false, _ texts: inout [String: LibrarySettings.Text],
    _ key: String
  ) -> Bool {
    guard let word = texts.removeValue(forKey: name) else { return standard }
    if !["true", "false"].contains(word.value) {
      complain(word, "\(key).\(name)", "\(key).\(name) is true or false")
    }
    return word.value == "true"
  }

  private mutating func adobe(
    _ texts: inout [String: LibrarySettings.Text], _ key: String
  ) -> LibrarySettings.Facts.Adobe? {
    let name = texts.removeValue(forKey: "adobe_name")
    let file = texts.removeValue(forKey: "adobe_secret_file")
    guard let name, let file else {
      if let one = name ?? file {
        complain(one, "\(key).adobe_name", "\(key) needs both adobe_name and adobe_secret_file")
      }
      return nil
    }
    let isName =
      !name.value.isEmpty && name.value.utf8.count <= 32
      && name.value.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_ .".contains($0)) }
    if !isName {
      complain(
        name, "\(key).adobe_name",
        "\(key).adobe_name is at most 32 letters, digits, blanks, points, - and _")
    }
    if !file.value.hasPrefix("/") {
      complain(
        file, "\(key).adobe_secret_file",
        "\(key).adobe_secret_file must be a path that begins with /")
    }
    return LibrarySettings.Facts.Adobe(
      name: name.value, secretFile: file.value, place: file.place)
  }

  private mutating func complain(_ text: LibrarySettings.Text, _ key: String, _ what: String) {
    faults.append(ConfigurationFault(text.place, key: key, what))
  }

  private mutating func text(of entry: YamlMapping.Entry, in group: String)
    -> LibrarySettings.Text?
  {
    guard !entry.value.isNull else { return nil }
    guard let scalar = entry.value.scalar else {
      complain(
        entry.value.position, "\(group).\(entry.key)",
        "\(group).\(entry.key) must be a text, not \(entry.value.kind.words)")
      return nil
    }
    return LibrarySettings.Text(value: scalar.text, place: place(entry.value.position))
  }

  private func place(_ position: YamlPosition) -> ConfigurationFault.Place {
    .file(path, line: position.line, column: position.column)
  }
}

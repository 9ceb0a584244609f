import Items
import JSON
import Machine
import TextSafety

/// The settings of the demo, written into its own folder: the mock libraries, and nothing else. What
/// each provider wants to know, the engine says; what it is, the mock says.
struct DemoProfile {
  struct Entry {
    let name: String
    let library: DemoMock.Library
    let provider: ProviderItem

    /// The card of that reader. The first three of a library are in order in every scenario, and
    /// whoever comes later shares one.
    func card(_ reader: Int) -> (card: String, pin: String, reader: String)? {
      guard !library.cards.isEmpty, !provider.fields.isEmpty else { return nil }
      return library.cards[reader % min(3, library.cards.count)]
    }

    /// Whether card and PIN let the reader in at the gateway.
    var signsIn: Bool { provider.fields.contains("pin") }

    /// What this reader gives to link the card, as `--credentials-stdin` takes it; empty where
    /// nobody needs one.
    func credentials(_ reader: Int) -> String {
      guard let card = card(reader) else { return "" }
      let known = ["card": card.card, "pin": card.pin]
      return JSONValue.object(
        JSONObject(
          provider.fields.compactMap { field in
            known[field].map { JSONObject.Member(field, .string($0)) }
          })
      ).text()
    }
  }

  let home: String
  let entries: [Entry]

  init(home: String, _ mock: DemoMock, _ providers: [ProviderItem]) {
    self.home = home
    var names: Set<String> = []
    entries = mock.libraries.compactMap { library in
      providers.first { $0.id == library.provider }.map { provider in
        // What a reader would call it, too: a word or two of its name; where there is no card, and so
        // only one of them, the service's own.
        let words = library.name.lowercased().split { !$0.isLetter }.map(String.init)
          .filter { !["a", "an", "the"].contains($0) }
        let short = provider.fields.isEmpty ? provider.id : words.first ?? provider.id
        let isNew = names.insert(short).inserted
        let name = isNew ? short : words.prefix(2).joined(separator: "-")
        return Entry(name: name, library: library, provider: provider)
      }
    }
  }

  /// One library of each lender: the cards of the tour. Where readers keep lists one signs in at a page
  /// of the service's own, which nobody does in a tour.
  var cards: [Entry] {
    var seen: Set<String> = []
    return entries.filter { entry in
      !entry.provider.capabilities.contains { $0.word == "lists" }
        && seen.insert(entry.provider.id).inserted
    }
  }

  var settings: String { "\(home)/config.yaml" }

  func write(port: Int) throws(CommandError) {
    // For other commands in this folder: the doctor asks the gateway there.
    var text = port > 0 ? "server:\n  port: \(port)\n" : ""
    text += "libraries:\n"
    for entry in entries {
      text += "  \(entry.name):\n    provider: \(entry.provider.id)\n"
      text += "    name: \(entry.library.name)\n    endpoints:\n"
      let settings = entry.provider.settings.map { $0.hasSuffix("?") ? String($0.dropLast()) : $0 }
      for member in entry.library.endpoints.members where !settings.contains(member.name) {
        guard let address = member.value.string, address.hasPrefix("http://") else { continue }
        text += "      \(member.name): \(address)\n"
      }
      for setting in settings {
        text += try line(setting, entry)
      }
    }
    try save(text, to: settings)
  }

  private func line(_ setting: String, _ entry: Entry) throws(CommandError) -> String {
    let name = setting.hasSuffix("_file") ? String(setting.dropLast(5)) : setting
    guard let value = entry.library.endpoints[name] else { return "" }
    let text = value.string ?? value.text()
    guard name != setting else { return "    \(name): \"\(text)\"\n" }
    let file = "\(home)/\(entry.name)-\(name)"
    try save(text, to: file)
    return "    \(setting): \(file)\n"
  }

  private func save(_ text: String, to file: String) throws(CommandError) {
    do throws(MachineError) { try WholeFile.write(Array(text.utf8), to: file) } catch {
      throw CommandError(.unwritable, "the demo's folder cannot be written: \(error)")
    }
  }
}

import Machine
import Synchronization

/// The dictionaries of a machine, each read when its language is first met. That takes milliseconds
/// for one and seconds for another, so it is done beside whoever asks, who goes on without.
package final class Hyphenation: Sendable {
  private enum Shelf {
    case reading
    case here(HyphenRules)
    case nowhere
  }

  private struct State {
    var shelves: [String: Shelf] = [:]
    var arrived = 0
  }

  /// Where Debian and most others keep them.
  package static let usualFolder = "/usr/share/hyphen"

  /// The largest there are have two megabytes.
  private static let largest = 16 << 20

  private let folder: String
  private let state = Mutex(State())

  package init(folder: String = usualFolder) { self.folder = folder }

  /// How many dictionaries came since the beginning: more of them say more.
  package var arrived: Int { state.withLock { $0.arrived } }

  /// For a language as books name it, `en-GB`; nil where it is not there, or not yet.
  package func rules(for language: String) -> HyphenRules? {
    let names = Self.names(of: language)
    guard let key = names.first else { return nil }
    let (rules, isNew) = state.withLock { state -> (HyphenRules?, Bool) in
      switch state.shelves[key] {
      case .here(let rules): return (rules, false)
      case .reading, .nowhere: return (nil, false)
      case nil:
        state.shelves[key] = .reading
        return (nil, true)
      }
    }
    guard isNew else { return rules }
    OwnThread.start { [self] in store(read(names), under: key) }
    return nil
  }

  /// The same, waited for.
  package func rulesNow(for language: String) -> HyphenRules? {
    let names = Self.names(of: language)
    guard let key = names.first else { return nil }
    if case .here(let rules) = state.withLock({ $0.shelves[key] }) { return rules }
    let rules = read(names)
    store(rules, under: key)
    return rules
  }

  private func store(_ rules: HyphenRules?, under key: String) {
    state.withLock { state in
      state.shelves[key] = rules.map { .here($0) } ?? .nowhere
      if rules != nil { state.arrived += 1 }
    }
  }

  private func read(_ names: [String]) -> HyphenRules? {
    for name in names {
      let path = "\(folder)/hyph_\(name).dic"
      do throws(FileError) {
        if let rules = HyphenRules(try WholeFile.read(path, upTo: Self.largest)) { return rules }
      } catch {
        // Not installed, which is the usual case.
        continue
      }
    }
    return nil
  }

  /// What its dictionary may be called, the closest first. A book's word for its language becomes
  /// part of a path, so nothing but letters and digits is taken from it.
  static func names(of language: String) -> [String] {
    let parts = language.split { $0 == "-" || $0 == "_" }.map(String.init)
    guard let first = parts.first, (2...3).contains(first.utf8.count), isPlain(first) else {
      return []
    }
    let name = first.lowercased()
    var names: [String] = []
    if let region = parts.dropFirst().first(where: { (2...3).contains($0.utf8.count) }),
      isPlain(region)
    {
      names.append("\(name)_\(region.uppercased())")
    }
    names += [name, "\(name)_\(name.uppercased())"]
    if name == "en" { names.append("en_US") }
    return names
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }
  }
}

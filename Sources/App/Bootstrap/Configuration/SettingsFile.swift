import Arguments

/// One file's share of the settings, with all its faults.
struct SettingsFile {
  struct Value {
    let texts: [String]
    let line: Int
  }

  private let path: String
  private(set) var values: [String: Value] = [:]
  private(set) var faults: [ConfigurationFault] = []

  init(_ tree: SettingsTree, path: String) {
    self.path = path
    switch tree.content {
    case .empty: break
    case .mapping(let entries): readSections(entries)
    default:
      complain(tree.place, nil, "a settings file is made of groups such as 'server:'")
    }
  }

  private mutating func readSections(_ entries: [SettingsTree.Entry]) {
    let names = Settings.sections.map(\.name)
    for (index, entry) in entries.enumerated() {
      guard isFirst(entry, index, entries, "") else { continue }
      guard names.contains(entry.name) else {
        complainUnknown(entry, among: names, inside: nil)
        continue
      }
      switch entry.value.content {
      case .empty: break
      case .mapping(let settings): readSettings(settings, in: entry.name)
      default:
        complain(
          entry.value.place, entry.name,
          "'\(entry.name)' is a group of settings, not \(entry.value.kind)")
      }
    }
  }

  private mutating func readSettings(_ entries: [SettingsTree.Entry], in section: String) {
    let specs = Settings.all.filter { $0.section == section }
    for (index, entry) in entries.enumerated() {
      guard isFirst(entry, index, entries, section + ".") else { continue }
      guard let spec = specs.first(where: { $0.name == entry.name }) else {
        complainUnknown(entry, among: specs.map(\.name), inside: section)
        continue
      }
      read(entry, as: spec)
    }
  }

  private mutating func read(_ entry: SettingsTree.Entry, as spec: SettingSpec) {
    switch entry.value.content {
    // Said to be nothing: as if it had been left out.
    case .empty: break
    case .text(let text):
      guard check(text, at: entry.value.place, as: spec) else { return }
      values[spec.key] = Value(texts: [text], line: entry.place.line)
    case .list(let elements) where spec.isList:
      var texts: [String] = []
      for element in elements {
        guard case .text(let text) = element.content else {
          complain(element.place, spec.key, "each of \(spec.key) must be \(spec.expectation)")
          continue
        }
        if check(text, at: element.place, as: spec) { texts.append(text) }
      }
      values[spec.key] = Value(texts: texts, line: entry.place.line)
    default:
      complain(
        entry.value.place, spec.key,
        "\(spec.key) must be \(spec.expectation), not \(entry.value.kind)")
    }
  }

  private mutating func check(_ text: String, at place: SettingsTree.Place, as spec: SettingSpec)
    -> Bool
  {
    guard let complaint = spec.complaint(about: text) else { return true }
    complain(place, spec.key, complaint, spec.suggestion(for: text))
    return false
  }

  private mutating func isFirst(
    _ entry: SettingsTree.Entry, _ index: Int, _ entries: [SettingsTree.Entry], _ prefix: String
  ) -> Bool {
    guard let earlier = entries[..<index].first(where: { $0.name == entry.name }) else {
      return true
    }
    complain(
      entry.place, prefix + entry.name,
      "'\(prefix)\(entry.name)' is already set in line \(earlier.place.line)")
    return false
  }

  /// Nearest first among its neighbors, then anywhere: a setting may stand in the wrong group.
  private mutating func complainUnknown(
    _ entry: SettingsTree.Entry, among names: [String], inside section: String?
  ) {
    let key = section.map { "\($0).\(entry.name)" } ?? entry.name
    let elsewhere = Settings.all.first { $0.name == entry.name || $0.key == entry.name }?.key
    let near = nearest(to: entry.name, among: names).first.map { name in
      section.map { "\($0).\(name)" } ?? name
    }
    complain(entry.place, key, "unknown setting '\(key)'", near ?? elsewhere)
  }

  private mutating func complain(
    _ place: SettingsTree.Place, _ key: String?, _ message: String, _ suggestion: String? = nil
  ) {
    faults.append(
      ConfigurationFault(
        .file(path, line: place.line, column: place.column), key: key, message,
        suggestion: suggestion))
  }
}

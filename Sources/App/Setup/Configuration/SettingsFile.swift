import Arguments
package import Yaml

/// One file's share of the settings, with all its faults.
package struct SettingsFile: Sendable {
  struct Value {
    let texts: [String]
    let line: Int
  }

  package let path: String
  private(set) var values: [String: Value] = [:]
  var libraries: [LibrarySettings] = []
  var faults: [ConfigurationFault] = []

  /// Syntax is refused at once; faults of meaning are gathered, to be told with those of the
  /// other sources.
  package init(_ bytes: [UInt8], path: String) throws(ConfigurationError) {
    let document: YamlNode
    do throws(YamlError) {
      document = try YamlNode(parsing: bytes)
    } catch {
      // The place stands in front of the fault already.
      let sentence = String(error.description.dropFirst("\(error.position): ".count))
      let place = ConfigurationFault.Place.file(
        path, line: error.position.line, column: error.position.column)
      throw ConfigurationError([ConfigurationFault(place, key: nil, sentence)])
    }
    self.init(document, path: path)
  }

  package init(_ document: YamlNode, path: String) {
    self.path = path
    switch document.content {
    case .mapping(let sections): readSections(sections.entries)
    case _ where document.isNull: break
    default:
      complain(document.position, nil, "a settings file is made of groups such as 'server:'")
    }
  }

  private mutating func readSections(_ entries: [YamlMapping.Entry]) {
    let names = Settings.sections.map(\.name) + ["libraries"]
    for entry in entries {
      if entry.key == "libraries" {
        readLibraries(entry.value)
        continue
      }
      guard names.contains(entry.key) else {
        complainUnknown(entry, among: names, inside: nil)
        continue
      }
      switch entry.value.content {
      case .mapping(let settings): readSettings(settings.entries, in: entry.key)
      case _ where entry.value.isNull: break
      default:
        complain(
          entry.value.position, entry.key,
          "'\(entry.key)' is a group of settings, not \(entry.value.kind.words)")
      }
    }
  }

  private mutating func readSettings(_ entries: [YamlMapping.Entry], in section: String) {
    let specs = Settings.all.filter { $0.section == section }
    for entry in entries {
      guard let spec = specs.first(where: { $0.name == entry.key }) else {
        complainUnknown(entry, among: specs.map(\.name), inside: section)
        continue
      }
      read(entry, as: spec)
    }
  }

  private mutating func read(_ entry: YamlMapping.Entry, as spec: SettingSpec) {
    switch entry.value.content {
    // Said to be nothing: as if it had been left out.
    case _ where entry.value.isNull: break
    case .scalar(let scalar):
      guard check(scalar.text, at: entry.value.position, as: spec) else { return }
      values[spec.key] = Value(texts: [scalar.text], line: entry.keyPosition.line)
    case .sequence(let elements) where spec.isList:
      var texts: [String] = []
      for element in elements {
        guard let scalar = element.scalar, !element.isNull else {
          complain(element.position, spec.key, "each of \(spec.key) must be \(spec.expectation)")
          continue
        }
        if check(scalar.text, at: element.position, as: spec) { texts.append(scalar.text) }
      }
      values[spec.key] = Value(texts: texts, line: entry.keyPosition.line)
    default:
      complain(
        entry.value.position, spec.key,
        "\(spec.key) must be \(spec.expectation), not \(entry.value.kind.words)")
    }
  }

  private mutating func check(_ text: String, at place: YamlPosition, as spec: SettingSpec)
    -> Bool
  {
    guard let complaint = spec.complaint(about: text) else { return true }
    complain(place, spec.key, complaint, spec.suggestion(for: text))
    return false
  }

  /// Nearest first among its neighbors, then anywhere: a setting may stand in the wrong group.
  private mutating func complainUnknown(
    _ entry: YamlMapping.Entry, among names: [String], inside section: String?
  ) {
    let key = section.map { "\($0).\(entry.key)" } ?? entry.key
    let elsewhere = Settings.all.first { $0.name == entry.key || $0.key == entry.key }?.key
    let near = nearest(to: entry.key, among: names).first.map { name in
      section.map { "\($0).\(name)" } ?? name
    }
    complain(entry.keyPosition, key, "unknown key '\(key)'", near ?? elsewhere)
  }

  mutating func complain(
    _ place: YamlPosition, _ key: String?, _ message: String, _ suggestion: String? = nil
  ) {
    faults.append(
      ConfigurationFault(
        .file(path, line: place.line, column: place.column), key: key, message,
        suggestion: suggestion))
  }
}

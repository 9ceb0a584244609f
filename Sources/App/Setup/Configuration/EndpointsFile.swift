import Yaml

/// Sets of addresses by name, in a file of their own: `production`, a test system, a mock or a replay
/// server. A library names one of them, so that another one stands in without a change of code.
package struct EndpointsFile: Sendable, Hashable {
  /// Provider, name of the set, the provider's name for each address.
  package private(set) var sets: [String: [String: [String: String]]] = [:]
  private var places: [[String]: ConfigurationFault.Place] = [:]

  package init() {}

  /// Where an address stands; nil where this file does not have it.
  package func place(
    of address: String, in set: String, at provider: String
  ) -> ConfigurationFault.Place? {
    places[[provider, set, address]]
  }

  package init(_ bytes: [UInt8], path: String) throws(ConfigurationError) {
    let document: YamlNode
    do throws(YamlError) { document = try YamlNode(parsing: bytes) } catch {
      let place = ConfigurationFault.Place.file(
        path, line: error.position.line, column: error.position.column)
      let sentence = String(error.description.dropFirst("\(error.position): ".count))
      throw ConfigurationError([ConfigurationFault(place, key: nil, sentence)])
    }
    var faults: [ConfigurationFault] = []
    read(document, path, &faults)
    guard faults.isEmpty else { throw ConfigurationError(faults) }
  }

  private mutating func read(
    _ document: YamlNode, _ path: String, _ faults: inout [ConfigurationFault]
  ) {
    for provider in Self.entries(of: document, "a provider", path, &faults) {
      for set in Self.entries(of: provider.value, "a set of addresses", path, &faults) {
        for address in Self.entries(of: set.value, "an address", path, &faults) {
          guard let scalar = address.value.scalar, !address.value.isNull else {
            faults.append(Self.fault(address.value, "'\(address.key)' must be an address", path))
            continue
          }
          sets[provider.key, default: [:]][set.key, default: [:]][address.key] = scalar.text
          places[[provider.key, set.key, address.key]] = .file(
            path, line: address.value.position.line, column: address.value.position.column)
        }
      }
    }
  }

  private static func entries(
    of node: YamlNode, _ what: String, _ path: String, _ faults: inout [ConfigurationFault]
  ) -> [YamlMapping.Entry] {
    if node.isNull { return [] }
    guard let mapping = node.mapping else {
      faults.append(fault(node, "here stand names, each of \(what), not \(node.kind.words)", path))
      return []
    }
    return mapping.entries
  }

  private static func fault(_ node: YamlNode, _ message: String, _ path: String)
    -> ConfigurationFault
  {
    ConfigurationFault(
      .file(path, line: node.position.line, column: node.position.column), key: nil, message)
  }
}

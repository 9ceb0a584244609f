import Glibc

/// The environment as it was when the program started. It is read once, here, and handed down as a
/// value: `getenv` is a race in a program with threads, and a setting read in the depths cannot be
/// explained by `config show --origin`.
package struct Environment: Sendable, Hashable {
  package let variables: [String: String]

  package init(_ variables: [String: String]) { self.variables = variables }

  /// Of this process. Called once, in Bootstrap, before there are threads.
  package static func ofThisProcess() -> Environment {
    var variables: [String: String] = [:]
    guard var entry = unsafe Optional(environ) else { return Environment([:]) }
    while let text = unsafe entry.pointee {
      let written = unsafe String(cString: text)
      if let equals = written.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(written[..<equals])
        // Of two entries with one name, getenv sees the first; so do we.
        if variables[name] == nil {
          variables[name] = String(written[written.utf8.index(after: equals)...])
        }
      }
      unsafe entry += 1
    }
    return Environment(variables)
  }

  package subscript(name: String) -> String? { variables[name] }

  /// The value, unless it is missing or empty: most conventions treat the two alike.
  package func nonEmpty(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A copy with some values replaced or, by nothing, removed: for a child process.
  package func setting(_ changes: [String: String?]) -> Environment {
    var changed = variables
    for (name, value) in changes { changed[name] = value }
    return Environment(changed)
  }
}

extension Environment: CustomStringConvertible {
  /// Names alone: values may be secrets.
  package var description: String { "Environment(\(variables.keys.sorted()))" }
}

extension Environment: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: ["names": variables.keys.sorted()]) }
}

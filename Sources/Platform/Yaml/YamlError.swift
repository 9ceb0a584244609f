/// Why a text is no document for us, and where. The text's own values are never repeated here:
/// settings files hold secrets, and errors end up in logs. Keys are, since they name the place.
package struct YamlError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Limit: Sendable, Hashable {
    case bytes(Int)
    case depth(Int)
    case nodes(Int)
    case scalarBytes(Int)
  }

  package enum Reason: Sendable, Hashable {
    case syntax(String)
    case badEncoding(String)
    case tooLarge(Limit)
    case duplicateKey(String, first: YamlPosition)
    case anchor
    case alias
    case tag
    case tagMismatch(expected: YamlNode.Kind)
    case mergeKey
    case keyNotText
    case emptyKey
    case nulCharacter
    case severalDocuments
    case outOfMemory
  }

  package let reason: Reason
  package let position: YamlPosition

  package init(_ reason: Reason, at position: YamlPosition) {
    (self.reason, self.position) = (reason, position)
  }

  package var description: String { "\(position): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .syntax(let what): what
    case .badEncoding(let what): what
    case .tooLarge(.bytes(let limit)): "the file is larger than \(limit) bytes"
    case .tooLarge(.depth(let limit)): "more than \(limit) levels inside one another"
    case .tooLarge(.nodes(let limit)): "the file holds more than \(limit) values"
    case .tooLarge(.scalarBytes(let limit)): "this value is longer than \(limit) bytes"
    case .duplicateKey(let key, let first): "the key \(shown(key)) stands already at \(first)"
    case .anchor: "anchors (&name) are not supported; write the value where it is needed"
    case .alias: "aliases (*name) are not supported; write the value where it is needed"
    case .tag: "tags (!name) are not supported"
    case .tagMismatch(let kind): "the tag here asks for \(kind.words), and this is none"
    case .mergeKey: "merge keys (<<) are not supported; write the settings where they are needed"
    case .keyNotText: "a key must be a single word or a quoted text"
    case .emptyKey: "the key before this colon is missing"
    case .nulCharacter: "a text may not hold the character NUL"
    case .severalDocuments: "only one document may stand in a file, and '---' begins a second"
    case .outOfMemory: "there is not enough memory to read this file"
    }
  }
}

/// A key as it may stand in a sentence: quoted, on one line, of bounded length.
func shown(_ key: String) -> String {
  var text = ""
  for (count, scalar) in key.unicodeScalars.enumerated() {
    guard count < 60 else { return "'\(text)…'" }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      text += "\\u{\(String(scalar.value, radix: 16))}"
    default: text.unicodeScalars.append(scalar)
    }
  }
  return "'\(text)'"
}

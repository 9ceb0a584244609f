package import Markup

/// One step through a document.
package enum XMLEvent: Sendable, Hashable {
  case start(XMLStart)
  /// All text up to the next tag, CDATA sections included.
  case text(String)
  case end(QualifiedName)
  case comment(String)
  case instruction(target: String, content: String)
}

/// A start tag. An empty-element tag is one too, followed by its end.
package struct XMLStart: Sendable, Hashable {
  package let name: QualifiedName
  package let attributes: [Element.Attribute]
  package let position: XMLPosition

  package subscript(local: String) -> String? { attribute(named: local, in: nil) }

  package func attribute(named local: String, in namespace: String?) -> String? {
    attributes.first { $0.name.local == local && $0.name.namespace == namespace }?.value
  }
}

/// Where a tag begins: lines and columns from 1, columns in characters, the offset in bytes of the
/// document as UTF-8 without its byte order mark.
package struct XMLPosition: Sendable, Hashable {
  package var line = 1
  package var column = 1
  package var offset = 0
}

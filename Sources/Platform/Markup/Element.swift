/// Markup somebody else wrote, as parsed: a feed, a chapter, a blurb. It is a different type from
/// `Node` on purpose: what comes in is read or rebuilt, and never written as it came.
package enum Content: Sendable, Hashable {
  case element(Element)
  case text(String)
}

/// A name as the document meant it: the namespace is resolved, the prefix forgotten.
package struct QualifiedName: Sendable, Hashable {
  package let local: String
  /// The namespace's URI; nil where there is none, as in HTML.
  package let namespace: String?

  package init(_ local: String, in namespace: String? = nil) {
    (self.local, self.namespace) = (local, namespace)
  }
}

/// One parsed element. Parsers bound how deep these nest (their depth limit), because copying and
/// releasing them is recursive.
package struct Element: Sendable, Hashable {
  package struct Attribute: Sendable, Hashable {
    package let name: QualifiedName
    package let value: String

    package init(_ name: QualifiedName, _ value: String) {
      (self.name, self.value) = (name, value)
    }
  }

  package let name: QualifiedName
  /// In the order of the document, no name twice.
  package let attributes: [Attribute]
  package var children: [Content]
  /// The line its start tag begins on, from 1; 0 when it was not parsed.
  package let line: Int32

  package init(
    _ name: QualifiedName, attributes: [Attribute] = [], children: [Content] = [], line: Int32 = 0
  ) {
    (self.name, self.attributes, self.children, self.line) = (name, attributes, children, line)
  }
}

package enum Namespaces {
  package static let xml = "http://www.w3.org/XML/1998/namespace"
  package static let xhtml = "http://www.w3.org/1999/xhtml"
  /// Talking books, whose names are nearly those of HTML.
  package static let dtbook = "http://www.daisy.org/z3986/2005/dtbook/"
  package static let svg = "http://www.w3.org/2000/svg"
  package static let mathML = "http://www.w3.org/1998/Math/MathML"
  package static let xlink = "http://www.w3.org/1999/xlink"
}

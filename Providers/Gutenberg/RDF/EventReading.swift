import Markup
import XML

/// A record read by the parser that reads all XML here: any document, at its pace.
enum EventReading {
  static func graph(of bytes: [UInt8], _ options: XMLOptions) throws(XMLError) -> Graph {
    var options = options
    options.limits = XMLLimits(bytes: 64 << 20, depth: 32, text: 8 << 20)
    var reader = XMLReader(bytes, options)
    var builder = GraphBuilder()
    var text = ""
    while let event = try reader.next() {
      switch event {
      case .start(let start):
        let (term, code) = term(start.name)
        builder.start(term, code: code, attributes(of: start))
        text = ""
      case .text(let more): text += more
      case .end:
        builder.end { text }
        text = ""
      case .comment, .instruction: break
      }
    }
    return builder.finished()
  }

  private static func term(_ name: QualifiedName) -> (Term, String) {
    let term = Term(Term.Space(name.namespace ?? ""), name.local)
    return (term, Self.code(term, name.local))
  }

  /// What is kept of a name beside its term.
  static func code(_ term: Term, _ local: String) -> String {
    switch term {
    case .role: local
    case .marc: String(local.dropFirst(4))
    default: ""
    }
  }

  private static func attributes(of start: XMLStart) -> GraphBuilder.Attributes {
    var found = GraphBuilder.Attributes()
    for attribute in start.attributes {
      let space = Term.Space(attribute.name.namespace ?? "")
      switch (space, attribute.name.local) {
      case (.rdf, "about"): found.about = attribute.value
      case (.rdf, "resource"): found.resource = attribute.value
      case (.rdf, "nodeID"): found.node = attribute.value
      case (.rdf, "parseType"): found.isResource = attribute.value == "Resource"
      default:
        let (term, code) = term(attribute.name)
        if term != .other { found.others.append((term, code, attribute.value)) }
      }
    }
    return found
  }
}

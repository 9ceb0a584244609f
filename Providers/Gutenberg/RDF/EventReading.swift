import Markup
import XML

/// A record read by the parser that reads all XML here: any document, at its pace.
enum EventReading {
  static func graph(of bytes: [UInt8], _ options: XMLOptions) throws(XMLError) -> Graph {
    var options = options
    options.limits = XMLLimits(bytes: 64 << 20, depth: 32, text: 8 << 20)
    var reader = XMLReader(bytes, options)
    // What is read is not what stands in the file: entities, encodings.
    var builder = GraphBuilder(of: [])
    var text = ""
    while let event = try reader.next() {
      switch event {
      case .start(let start):
        let (term, code) = term(start.name, &builder)
        builder.start(term, code: code, attributes(of: start, &builder))
        text = ""
      case .text(let more): text += more
      case .end:
        builder.end(builder.keep(text.utf8))
        text = ""
      case .comment, .instruction: break
      }
    }
    return builder.finished()
  }

  private static func term(
    _ name: QualifiedName, _ builder: inout GraphBuilder
  ) -> (Term, Graph.Piece) {
    let term = Term(Term.Space(name.namespace ?? ""), name.local)
    guard let unsaid = term.unsaid else { return (term, Graph.Piece()) }
    return (term, builder.keep(name.local.utf8.dropFirst(unsaid)))
  }

  private static func attributes(
    of start: XMLStart, _ builder: inout GraphBuilder
  ) -> GraphBuilder.Attributes {
    var found = GraphBuilder.Attributes()
    for attribute in start.attributes {
      let space = Term.Space(attribute.name.namespace ?? "")
      switch (space, attribute.name.local) {
      case (.rdf, "about"): found.about = builder.keep(attribute.value.utf8)
      case (.rdf, "resource"): found.resource = builder.keep(attribute.value.utf8)
      case (.rdf, "nodeID"):
        var node = builder.keep(attribute.value.utf8)
        node.isLocal = true
        found.node = node
      case (.rdf, "parseType"): found.isResource = attribute.value == "Resource"
      default:
        let (term, code) = term(attribute.name, &builder)
        if term != .other {
          found.others.append((term, code, builder.keep(attribute.value.utf8)))
        }
      }
    }
    return found
  }
}

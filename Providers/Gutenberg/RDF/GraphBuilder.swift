/// Puts a graph together from tags and texts, whoever reads them. Things and properties take turns:
/// within a thing stand its properties, within a property one thing, or a text.
struct GraphBuilder {
  struct Attributes {
    var about: String?
    var resource: String?
    var node: String?
    /// `parseType="Resource"`: the thing in between is left out.
    var isResource = false
    /// Properties may be written as attributes, too.
    var others: [(term: Term, code: String, text: String)] = []
  }

  private enum Level {
    case root
    case thing(Int)
    /// Of whom what is said, and whether it has been.
    case property(of: Int, Term, code: String, isSaid: Bool)
    /// Something that has no place here.
    case stray
  }

  private var graph = Graph()
  private var levels: [Level] = []

  mutating func start(_ term: Term, code: String, _ attributes: Attributes) {
    switch levels.last {
    case nil: levels.append(.root)
    case .root: levels.append(.thing(begin(term, attributes)))
    case .thing(let thing): levels.append(property(of: thing, term, code, attributes))
    case .property(let owner, let own, let ownCode, let isSaid):
      guard !isSaid else { return levels.append(.stray) }
      let thing = begin(term, attributes)
      graph.add(own, code: ownCode, .thing(thing), to: owner)
      levels[levels.count - 1] = .property(of: owner, own, code: ownCode, isSaid: true)
      levels.append(.thing(thing))
    case .stray: levels.append(.stray)
    }
  }

  consuming func finished() -> Graph {
    graph.seal()
    return graph
  }

  /// `text` is asked for only where it matters.
  mutating func end(_ text: () -> String) {
    guard case .property(let owner, let term, let code, false)? = levels.popLast() else { return }
    graph.add(term, code: code, .literal(text()), to: owner)
  }

  private mutating func begin(_ term: Term, _ attributes: Attributes) -> Int {
    let thing = graph.addThing(term, key: attributes.key ?? "")
    for other in attributes.others {
      graph.add(other.term, code: other.code, .literal(other.text), to: thing)
    }
    return thing
  }

  private mutating func property(
    of owner: Int, _ term: Term, _ code: String, _ attributes: Attributes
  ) -> Level {
    if attributes.isResource {
      let thing = begin(.description, attributes)
      graph.add(term, code: code, .thing(thing), to: owner)
      return .thing(thing)
    }
    if let key = attributes.reference {
      graph.add(term, code: code, .reference(key), to: owner)
      return .property(of: owner, term, code: code, isSaid: true)
    }
    guard !attributes.others.isEmpty else {
      return .property(of: owner, term, code: code, isSaid: false)
    }
    graph.add(term, code: code, .thing(begin(.description, attributes)), to: owner)
    return .property(of: owner, term, code: code, isSaid: true)
  }
}

extension GraphBuilder.Attributes {
  fileprivate var key: String? { about.map(Graph.key) ?? node.map { "_:" + $0 } }
  fileprivate var reference: String? { resource.map(Graph.key) ?? node.map { "_:" + $0 } }
}

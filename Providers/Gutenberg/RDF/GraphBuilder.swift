/// Puts a graph together from tags and texts, whoever reads them. Things and properties take turns:
/// within a thing stand its properties, within a property one thing, or a text.
struct GraphBuilder {
  struct Attributes {
    var about: Graph.Piece?
    var resource: Graph.Piece?
    var node: Graph.Piece?
    /// `parseType="Resource"`: the thing in between is left out.
    var isResource = false
    /// Properties may be written as attributes, too.
    var others: [(term: Term, code: Graph.Piece, text: Graph.Piece)] = []
  }

  private enum Level {
    case root
    case thing(Int)
    /// Of whom what is said, and whether it has been.
    case property(of: Int, Term, code: Graph.Piece, isSaid: Bool)
    /// Something that has no place here.
    case stray
  }

  private var graph: Graph
  private var levels: [Level] = []

  /// `bytes` are what pieces are pieces of.
  init(of bytes: [UInt8]) {
    graph = Graph(bytes)
    levels.reserveCapacity(16)
  }

  mutating func keep(_ text: some Sequence<UInt8>) -> Graph.Piece { graph.keep(text) }

  func says(_ piece: Graph.Piece, _ word: String) -> Bool {
    graph[piece].elementsEqual(word.utf8)
  }

  mutating func start(_ term: Term, code: Graph.Piece, _ attributes: Attributes) {
    switch levels.last {
    case nil: levels.append(.root)
    case .root: levels.append(.thing(begin(term, attributes)))
    case .thing(let thing): levels.append(property(of: thing, term, code, attributes))
    case .property(let owner, let own, let ownCode, let isSaid):
      guard !isSaid else { return levels.append(.stray) }
      let thing = begin(term, attributes)
      graph.add(own, code: ownCode, .thing(Int32(thing)), to: owner)
      levels[levels.count - 1] = .property(of: owner, own, code: ownCode, isSaid: true)
      levels.append(.thing(thing))
    case .stray: levels.append(.stray)
    }
  }

  consuming func finished() -> Graph {
    graph.seal()
    return graph
  }

  mutating func end(_ text: Graph.Piece) {
    guard case .property(let owner, let term, let code, false)? = levels.popLast() else { return }
    graph.add(term, code: code, .literal(text), to: owner)
  }

  private mutating func begin(_ term: Term, _ attributes: Attributes) -> Int {
    let key = key(attributes.about, or: attributes.node)
    let thing = graph.addThing(term, key: key ?? Graph.Piece())
    for other in attributes.others {
      graph.add(other.term, code: other.code, .literal(other.text), to: thing)
    }
    return thing
  }

  private func key(_ reference: Graph.Piece?, or node: Graph.Piece?) -> Graph.Piece? {
    guard let reference else { return node }
    return graph.key(reference)
  }

  private mutating func property(
    of owner: Int, _ term: Term, _ code: Graph.Piece, _ attributes: Attributes
  ) -> Level {
    if attributes.isResource {
      let thing = begin(.description, attributes)
      graph.add(term, code: code, .thing(Int32(thing)), to: owner)
      return .thing(thing)
    }
    if let key = key(attributes.resource, or: attributes.node) {
      graph.add(term, code: code, .reference(key), to: owner)
      return .property(of: owner, term, code: code, isSaid: true)
    }
    guard !attributes.others.isEmpty else {
      return .property(of: owner, term, code: code, isSaid: false)
    }
    let thing = begin(.description, attributes)
    graph.add(term, code: code, .thing(Int32(thing)), to: owner)
    return .property(of: owner, term, code: code, isSaid: true)
  }
}

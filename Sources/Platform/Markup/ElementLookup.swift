// Reading a document by name. Every look-up has two forms: with a namespace (nil: in none), as
// feeds need, and without, for documents whose namespaces nobody gets right.
extension Element {
  package var elements: [Element] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  package func child(named local: String) -> Element? {
    first { $0.local == local }
  }

  package func child(named local: String, in namespace: String?) -> Element? {
    first { $0.local == local && $0.namespace == namespace }
  }

  package func children(named local: String) -> [Element] {
    elements.filter { $0.name.local == local }
  }

  package func children(named local: String, in namespace: String?) -> [Element] {
    elements.filter { $0.name.local == local && $0.name.namespace == namespace }
  }

  /// All elements below this one, in the order of the document.
  package func descendants(where isWanted: (QualifiedName) -> Bool) -> [Element] {
    var found: [Element] = []
    var waiting = Array(elements.reversed())
    while let element = waiting.popLast() {
      if isWanted(element.name) { found.append(element) }
      waiting.append(contentsOf: element.elements.reversed())
    }
    return found
  }

  package func descendants(named local: String) -> [Element] {
    descendants { $0.local == local }
  }

  package func descendants(named local: String, in namespace: String?) -> [Element] {
    descendants { $0.local == local && $0.namespace == namespace }
  }

  /// The attribute without a prefix.
  package subscript(local: String) -> String? { attribute(named: local, in: nil) }

  package func attribute(named local: String, in namespace: String?) -> String? {
    attributes.first { $0.name.local == local && $0.name.namespace == namespace }?.value
  }

  /// All text inside, exactly as written. For people, see `PlainText`.
  package var text: String {
    var text = ""
    var waiting = Array(children.reversed())
    while let next = waiting.popLast() {
      switch next {
      case .text(let part): text += part
      case .element(let element): waiting.append(contentsOf: element.children.reversed())
      }
    }
    return text
  }

  private func first(where isWanted: (QualifiedName) -> Bool) -> Element? {
    for case .element(let element) in children where isWanted(element.name) { return element }
    return nil
  }
}

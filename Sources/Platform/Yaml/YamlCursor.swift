/// A place in a document that a reader of settings looks at, whether or not anything stands there.
/// Looking further is free of errors; only taking a value can fail, and then says where and why.
package struct YamlCursor {
  enum State {
    case present(YamlNode)
    case absent
    case broken(YamlFault)
  }

  package let path: YamlPath
  /// Where the value stands, or, if there is none, the group in which it is missed.
  package let position: YamlPosition
  let state: State
  let reading: YamlReading

  init(_ state: State, path: YamlPath, position: YamlPosition, in reading: YamlReading) {
    (self.state, self.path, self.position, self.reading) = (state, path, position, reading)
  }

  /// Something other than `null` is written here.
  package var isPresent: Bool {
    switch state {
    case .present(let node): !node.isNull
    case .absent: false
    case .broken: true  // whoever takes the value learns of the fault
    }
  }

  package subscript(key: String) -> YamlCursor {
    reading.noteAsked(key, at: path)
    let below = path.appending(.key(key))
    func cursor(_ state: State, _ position: YamlPosition) -> YamlCursor {
      YamlCursor(state, path: below, position: position, in: reading)
    }
    switch state {
    case .broken, .absent: return cursor(state, position)
    case .present(let node):
      if let entry = node.mapping?[key] {
        return cursor(.present(entry.value), entry.value.position)
      }
      if node.mapping != nil || node.isNull { return cursor(.absent, position) }
      return cursor(.broken(unfit(YamlNode.Kind.mapping.words, node)), position)
    }
  }

  /// The fault of this place in the caller's own words, as in "is no address".
  package func fault(_ why: String) -> YamlFault {
    YamlFault(.refused(why), path: path, at: position)
  }

  func unfit(_ expected: String, _ node: YamlNode) -> YamlFault {
    YamlFault(.unfit(expected: expected, found: node.kind), path: path, at: node.position)
  }

  func node() throws(YamlFault) -> YamlNode {
    switch state {
    case .present(let node): return node
    case .absent: throw YamlFault(.missing, path: path, at: position)
    case .broken(let fault): throw fault
    }
  }
}

extension YamlCursor {
  /// The places of a list's items.
  package func items() throws(YamlFault) -> [YamlCursor] {
    let node = try node()
    guard let items = node.items else { throw unfit(YamlNode.Kind.sequence.words, node) }
    return items.enumerated().map { index, item in
      YamlCursor(
        .present(item), path: path.appending(.index(index)), position: item.position, in: reading)
    }
  }

  /// A group whose keys are names chosen by the writer (libraries, providers), in written order.
  package func entries() throws(YamlFault) -> [(
    key: String, keyPosition: YamlPosition, value: YamlCursor
  )] {
    let node = try node()
    guard let mapping = node.mapping else { throw unfit(YamlNode.Kind.mapping.words, node) }
    reading.noteTakenWhole(path)
    return mapping.entries.map { entry in
      let below = path.appending(.key(entry.key))
      let value = YamlCursor(
        .present(entry.value), path: below, position: entry.value.position, in: reading)
      return (entry.key, entry.keyPosition, value)
    }
  }

  /// The value if something is written here, nil if the key is absent or null.
  package func ifPresent<Value>(
    _ take: (YamlCursor) throws(YamlFault) -> Value
  ) throws(YamlFault) -> Value? {
    isPresent ? try take(self) : nil
  }
}

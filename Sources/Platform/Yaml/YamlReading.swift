/// One reading of one document into settings. It remembers which keys were asked for, so that at
/// the end every other key is a fault, and it gathers faults instead of stopping at the first.
package final class YamlReading {
  private let document: YamlNode
  private var asked: [YamlPath: [String]] = [:]
  private var takenWhole: Set<YamlPath> = []
  private var gathered: [YamlFault] = []

  package init(_ document: YamlNode) {
    self.document = document
  }

  package var root: YamlCursor {
    YamlCursor(.present(document), path: YamlPath(), position: document.position, in: self)
  }

  /// The value, or nil once its fault is noted; reading goes on.
  package func attempt<Value>(
    _ value: @autoclosure () throws(YamlFault) -> Value
  ) -> Value? {
    do throws(YamlFault) {
      return try value()
    } catch {
      note(error)
      return nil
    }
  }

  /// Notes a fault once: several settings below one broken group all meet the same fault.
  package func note(_ fault: YamlFault) {
    if !gathered.contains(fault) { gathered.append(fault) }
  }

  /// Everything noted, and every key that nobody asked for.
  package var faults: [YamlFault] {
    (gathered + unknownKeys(in: document, at: YamlPath())).sorted { $0.position < $1.position }
  }

  package func finish() throws(YamlFaults) {
    let faults = faults
    guard faults.isEmpty else { throw YamlFaults(faults: faults) }
  }

  func noteAsked(_ key: String, at path: YamlPath) {
    if asked[path, default: []].contains(key) { return }
    asked[path, default: []].append(key)
  }

  func noteTakenWhole(_ path: YamlPath) {
    takenWhole.insert(path)
  }

  private func unknownKeys(in node: YamlNode, at path: YamlPath) -> [YamlFault] {
    switch node.content {
    case .scalar: return []
    case .sequence(let items):
      return items.enumerated().flatMap { unknownKeys(in: $1, at: path.appending(.index($0))) }
    case .mapping(let mapping):
      let known = asked[path] ?? []
      // A group in which nothing was asked for was judged as a whole by whoever asked for it.
      let isOpen = takenWhole.contains(path) || (known.isEmpty && !path.steps.isEmpty)
      return mapping.entries.flatMap { entry -> [YamlFault] in
        let below = path.appending(.key(entry.key))
        guard isOpen || known.contains(entry.key) else {
          let reason = YamlFault.Reason.unknownKey(entry.key, known: known)
          return [YamlFault(reason, path: below, at: entry.keyPosition)]
        }
        return unknownKeys(in: entry.value, at: below)
      }
    }
  }
}

/// A foreign page rebuilt for XHTML: nested as its author nested it, its text unchanged, and with
/// where each piece of that text stood. So whoever counts characters on what a browser shows can say
/// which ones of the author's they are.
package struct Transcript: Sendable {
  /// A run of text that was taken over as it stood.
  package struct Piece: Sendable, Hashable {
    /// Units of UTF-16 that were written before it.
    package let written: Int
    /// Bytes of UTF-8 that stood before it.
    package let source: Int
    /// In bytes of UTF-8.
    package let length: Int
  }

  package internal(set) var nodes: [Node] = []
  package internal(set) var pieces: [Piece] = []
  /// In units of UTF-16.
  package internal(set) var length = 0
  /// Whether something was left out because there was too much.
  package internal(set) var isCut = false
}

extension AllowList {
  /// The part of `content` this list allows. `source` is how much text stood before it.
  package func transcribe(_ content: [Content], from source: Int = 0) -> Transcript {
    var transcribing = Transcribing(by: self, source)
    var steps: [Transcribing.Step] = content.reversed().map(Transcribing.Step.visit)
    while let step = steps.popLast() {
      switch step {
      case .visit(.text(let text)): transcribing.add(text)
      case .visit(.element(let element)):
        guard let after = transcribing.begin(element) else { continue }
        if case .end = after { steps.append(after) }
        steps += element.children.reversed().lazy.map(Transcribing.Step.visit)
      case .end: transcribing.end()
      case .proceed: continue
      }
    }
    return transcribing.transcript
  }
}

private struct Transcribing {
  enum Step {
    case visit(Content)
    case end
    /// With what is inside, without tags around it.
    case proceed
  }

  private struct Frame {
    let rule: AllowList.Rule
    let realm: AllowList.Realm
    let attributes: [Attribute]
    var children: [Node] = []
  }

  private let rebuilding: Rebuilding
  private var list: AllowList { rebuilding.list }
  private var frames: [Frame] = []
  private var source: Int
  private var (nodes, bytes) = (0, 0)
  private(set) var transcript = Transcript()

  init(by list: AllowList, _ source: Int) {
    (rebuilding, self.source) = (Rebuilding(allowing: list), source)
  }

  /// Nil where all that is inside is left out.
  mutating func begin(_ element: Element) -> Step? {
    let local = element.name.local.lowercased()
    if let stand = list.stand(element) {
      begin(alone: stand)
      source += Self.textLength(of: element)
      return nil
    }
    guard !list.dropped.contains(local), !isFull else {
      transcript.isCut = transcript.isCut || isFull
      source += Self.textLength(of: element)
      return nil
    }
    guard let realm = AllowList.Realm(element.name), mayBegin(local, in: realm),
      frames.count < list.maximumDepth, let rule = list.elements[realm]?[local]
    else { return .proceed }
    // A picture that may not be shown still has its words.
    let attributes =
      rebuilding.attributes(of: element, by: rule, in: realm)
      ?? (local == "img" ? [Attribute("alt", element["alt"] ?? "")] : nil)
    guard let attributes else { return .proceed }
    nodes += 1
    if realm == .html, rule.name.isVoid {
      append(.element(rule.name, attributes, []))
      return .proceed
    }
    frames.append(Frame(rule: rule, realm: realm, attributes: attributes))
    return .end
  }

  private mutating func begin(alone element: Element) {
    let local = element.name.local.lowercased()
    guard !isFull, let realm = AllowList.Realm(element.name), mayBegin(local, in: realm),
      let rule = list.elements[realm]?[local],
      let attributes = rebuilding.attributes(of: element, by: rule, in: realm)
    else { return }
    nodes += 1
    append(.element(rule.name, attributes, []))
  }

  mutating func end() {
    guard let frame = frames.popLast() else { return }
    append(.element(frame.rule.name, frame.attributes, frame.children))
  }

  mutating func add(_ text: String) {
    let stood = text.utf8.count
    defer { source += stood }
    guard !isFull else {
      transcript.isCut = true
      return
    }
    let cleaned = Rebuilding.cleaned(text)
    guard !cleaned.isEmpty else { return }
    transcript.pieces.append(
      Transcript.Piece(written: transcript.length, source: source, length: stood))
    transcript.length += cleaned.utf16.count
    bytes += cleaned.utf8.count
    append(.text(cleaned))
  }

  private var isFull: Bool { nodes >= list.maximumNodes || bytes >= list.maximumText }

  private func mayBegin(_ local: String, in realm: AllowList.Realm) -> Bool {
    guard let innermost = frames.last else { return realm == .html || local == realm.root }
    if innermost.rule.isLeaf { return false }
    return innermost.realm == realm || (innermost.realm == .html && local == realm.root)
  }

  private mutating func append(_ node: Node) {
    if frames.isEmpty {
      transcript.nodes.append(node)
    } else {
      frames[frames.count - 1].children.append(node)
    }
  }

  private static func textLength(of element: Element) -> Int {
    var length = 0
    var waiting = element.children
    while let next = waiting.popLast() {
      switch next {
      case .text(let text): length += text.utf8.count
      case .element(let element): waiting += element.children
      }
    }
    return length
  }
}

package import Console
import Crypto
package import EPUB
package import Hyphenation
import Text
package import TextSafety

/// What a reader does that outlasts the screen. Each returns what there is to tell the reader, if
/// anything.
package struct ReaderDesk: Sendable {
  package var keepPlace: @Sendable (Locator, Double) async -> String?
  /// The name that the mark is kept under, or why it is not.
  package var addMark: @Sendable (ReaderMark) async -> Kept
  package var removeMark: @Sendable (ReaderMark) async -> String?
  package var rate: @Sendable (Int) async -> String?
  package var giveBack: @Sendable () async -> String?
  /// How the reader likes pages, each time that changes; not kept unless this is set.
  package var keepTaste: @Sendable (ReaderModel.Taste) async -> String? = { _ in nil }

  package enum Kept: Sendable, Hashable {
    case named(String)
    case not(String)
  }

  package init(
    keepPlace: @escaping @Sendable (Locator, Double) async -> String?,
    addMark: @escaping @Sendable (ReaderMark) async -> Kept,
    removeMark: @escaping @Sendable (ReaderMark) async -> String?,
    rate: @escaping @Sendable (Int) async -> String?,
    giveBack: @escaping @Sendable () async -> String?
  ) {
    (self.keepPlace, self.addMark, self.removeMark) = (keepPlace, addMark, removeMark)
    (self.rate, self.giveBack) = (rate, giveBack)
  }
}

/// Runs a reader in a real terminal: draws, waits for a key, does what it asks for.
package struct ReaderLoop {
  private var model: ReaderModel
  private let screen: FullScreen
  private let painter: Painter
  private let desk: ReaderDesk
  private let hyphenation: Hyphenation
  /// Dictionaries that the page on the screen knows of.
  private var known = 0
  /// As it is kept.
  private var taste: ReaderModel.Taste
  /// The cover, as rows that a picture program drew for this window; shown on the jacket.
  private let picture: @Sendable (_ columns: Int, _ rows: Int) async -> [TerminalText]

  package init(
    _ model: ReaderModel, on screen: FullScreen, _ painter: Painter, _ desk: ReaderDesk,
    hyphenation: Hyphenation = Hyphenation(),
    picture: @escaping @Sendable (_ columns: Int, _ rows: Int) async -> [TerminalText]
  ) {
    (self.model, self.screen, self.painter) = (model, screen, painter)
    (self.desk, self.picture, self.hyphenation) = (desk, picture, hyphenation)
    taste = model.taste
    self.model.part(by: hyphenation)
  }

  /// Until the reader quits, the terminal is gone, or the task is cancelled.
  package mutating func run() async throws(OutputStream.Trouble) {
    try await draw()
    for await event in screen.events {
      part()
      var errands: [Errand] = []
      switch event {
      case .gone: return
      case .resized:
        let size = screen.size
        model.resize(ReaderModel.Window(columns: size.columns, rows: size.rows))
        errands = [.redraw]
      case .typed(let bytes): for key in Key.keys(in: bytes) { errands += model.press(key) }
      }
      if model.taste != taste {
        taste = model.taste
        if let trouble = await desk.keepTaste(taste) { model.tell(trouble) }
      }
      errands = errands.settled
      try await draw(after: errands.contains(.redraw) ? "\u{1b}[0m\u{1b}[2J" : "")
      // Of many turns at once only where they led to is kept.
      if errands.contains(.keepPlace),
        let trouble = await desk.keepPlace(model.locator, model.progress)
      {
        try await tell(trouble)
      }
      for errand in errands where errand != .keepPlace {
        if errand == .leave { return }
        try await carryOut(errand)
      }
    }
  }

  /// A dictionary that came meanwhile counts from the next key on: nothing moves under the eyes.
  private mutating func part() {
    let arrived = hyphenation.arrived
    guard arrived != known else { return }
    known = arrived
    model.part(by: hyphenation)
  }

  private mutating func carryOut(_ errand: Errand) async throws(OutputStream.Trouble) {
    switch errand {
    case .addMark(let mark):
      switch await desk.addMark(mark) {
      case .named(let name): model.name(mark, name)
      case .not(let trouble): try await tell(trouble)
      }
    case .removeMark(let mark):
      // One that could not be kept is nowhere to be taken from.
      guard !mark.id.isEmpty else { break }
      if let trouble = await desk.removeMark(mark) { try await tell(trouble) }
    case .copy(let words):
      let clean = TerminalText(lines: words).text
      try screen(says: "\u{1b}]52;c;\(Base64.standard.encode(Array(clean.utf8)))\u{7}")
    case .rate(let stars):
      if let words = await desk.rate(stars) { try await tell(words) }
    case .giveBack:
      if let words = await desk.giveBack() { try await tell(words) }
    case .keepPlace, .redraw, .leave: break
    }
  }

  private mutating func tell(_ words: String) async throws(OutputStream.Trouble) {
    model.tell(words)
    try await draw()
  }

  private func draw(after order: TerminalText = "") async throws(OutputStream.Trouble) {
    var view = model.view()
    var over: TerminalText = ""
    if model.isOnJacket {
      let (columns, rows) = (model.window.columns, model.window.rows)
      let drawn = await picture(columns, max(1, rows - 4))
      if !drawn.isEmpty { (view, over) = model.cover(drawn) }
    }
    // In one piece, so that nobody sees half a page.
    try screen(
      says: order + painter.paint(view, in: model.taste.theme, width: model.window.columns) + over)
  }

  private func screen(says text: TerminalText) throws(OutputStream.Trouble) {
    try OutputStream.output.write(text)
  }
}

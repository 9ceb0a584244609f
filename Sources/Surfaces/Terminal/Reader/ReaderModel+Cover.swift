import Text
import TextSafety

extension ReaderModel {
  /// The jacket with its picture, and the title in one line below it.
  func cover(_ picture: [TerminalText]) -> (Screenful, TerminalText) {
    var view = view()
    let status = view.rows.popLast() ?? Row()
    for place in view.rows.indices { view.rows[place] = Row() }
    let title = book.title.tame.shortened(to: window.columns)
    if let last = view.rows.indices.last {
      let free = max(0, (window.columns - Clusters.cells(of: title)) / 2)
      view.rows[last] = Row(title, .bold).indented(by: free)
    }
    view.rows.append(status)
    // A program that writes into a pipe knows nothing of the window it draws for.
    let width = picture.map { Self.cells($0.text) }.max() ?? 0
    let column = max(0, (window.columns - width) / 2) + 1
    var over: TerminalText = ""
    for (number, line) in picture.prefix(max(0, window.rows - 3)).enumerated() {
      over += "\u{1b}[\(number + 1);\(column)H\(line)\u{1b}[0m"
    }
    return (view, over)
  }

  /// The cells of a row that a picture program drew, whose sequences for colors take none.
  private static func cells(_ line: String) -> Int {
    var shown: [UInt8] = []
    var bytes = line.utf8[...]
    while let byte = bytes.popFirst() {
      guard byte == 0x1B, bytes.first == UInt8(ascii: "[") else {
        shown.append(byte)
        continue
      }
      bytes = bytes.dropFirst()
      // They end with the first letter or sign behind the numbers.
      while let byte = bytes.popFirst(), !(0x40...0x7E).contains(byte) {}
    }
    return Clusters.cells(in: shown, 0..<shown.count)
  }
}

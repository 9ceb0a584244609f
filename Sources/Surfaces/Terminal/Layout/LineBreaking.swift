import Text

/// Fills lines with words (UAX 14 says where one may end), never cutting what readers take for one
/// character.
enum LineBreaking {
  /// What stands on one line, without the blanks at its end.
  struct Piece {
    let range: Range<Int>
    /// Whether the author ended it, or the paragraph did.
    let isLast: Bool
    /// Whether it goes on with a line of the author's.
    let isContinued: Bool
    /// Whether it ends inside a word, behind which a hyphen is to be shown.
    let isParted: Bool
  }

  /// `first` is the room of a line that begins one of the author's, `rest` of one that goes on.
  static func lines(
    _ bytes: [UInt8], _ range: Range<Int>, first: Int, rest: Int, parting: Parting? = nil
  ) -> [Piece] {
    var filling = Filling(
      bytes: bytes, first: max(1, first), rest: max(1, rest), parting: parting, range)
    filling.run(to: range.upperBound)
    return filling.lines
  }

  private struct Filling {
    let bytes: [UInt8]
    let first: Int
    let rest: Int
    let parting: Parting?
    var lines: [Piece] = []
    private var start: Int
    private var cells = 0
    /// Where the last word that fits ended, without its blanks.
    private var end: Int
    private var isContinued = false
    /// How many lines in a row were ended inside a word.
    private var parted = 0

    init(bytes: [UInt8], first: Int, rest: Int, parting: Parting?, _ range: Range<Int>) {
      (self.bytes, self.first, self.rest, self.parting) = (bytes, first, rest, parting)
      (start, end) = (range.lowerBound, range.lowerBound)
    }

    private var room: Int { isContinued ? rest : first }

    mutating func run(to limit: Int) {
      var word = start
      for stop in LineBreaks.all(in: bytes, start..<limit) {
        switch stop.1 {
        case .possible:
          add(word..<stop.at)
          word = stop.at
        case .mandatory:
          add(word..<stop.at)
          word = min(stop.at + Scalars.read(bytes, stop.at).length, limit)
          finish(next: word, isLast: true)
        }
      }
      add(word..<limit)
      if end > start || lines.isEmpty { finish(next: limit, isLast: true) }
    }

    private mutating func add(_ whole: Range<Int>) {
      guard !whole.isEmpty else { return }
      let stop = trimmed(whole)
      let hyphen = LineBreaking.endsSoftly(bytes, whole.lowerBound..<stop) ? 1 : 0
      let word = part(whole.lowerBound..<stop, hyphen)..<whole.upperBound
      let width = LineBreaking.cells(bytes, word.lowerBound..<stop)
      if cells + width + hyphen > room, end > start { finish(next: word.lowerBound, isLast: false) }
      if width > room {
        cut(word.lowerBound..<stop)
      } else {
        cells += width
        if stop > word.lowerBound { end = stop }
      }
      cells += word.upperBound - stop
    }

    /// Ends lines inside a word as long as it does not fit; where the rest of it begins.
    private mutating func part(_ word: Range<Int>, _ hyphen: Int) -> Int {
      guard let parting, !word.isEmpty,
        cells + LineBreaking.cells(bytes, word) + hyphen > room
      else { return word.lowerBound }
      let points = parting.points(in: bytes, word)
      var begin = word.lowerBound
      while cells + LineBreaking.cells(bytes, begin..<word.upperBound) + hyphen > room,
        room - cells > parting.zone, parted < Parting.mostInARow
      {
        let free = room - cells - 1
        let fitting = points.last {
          $0 > begin && LineBreaking.cells(bytes, begin..<$0) <= free
        }
        guard let fitting else { break }
        end = fitting
        finish(next: fitting, isLast: false, isParted: true)
        begin = fitting
      }
      return begin
    }

    /// A word that is wider than a line ends where the line does.
    private mutating func cut(_ word: Range<Int>) {
      let starts = Clusters.starts(in: bytes, word)
      for (place, from) in starts.enumerated() {
        let to = place + 1 < starts.count ? starts[place + 1] : word.upperBound
        let width = LineBreaking.cells(bytes, from..<to)
        if cells + width > room, end > start { finish(next: from, isLast: false) }
        cells += width
        end = to
      }
    }

    private mutating func finish(next: Int, isLast: Bool, isParted: Bool = false) {
      lines.append(
        Piece(
          range: start..<max(start, end), isLast: isLast, isContinued: isContinued,
          isParted: isParted))
      parted = isParted ? parted + 1 : 0
      (start, end, cells, isContinued) = (next, next, 0, !isLast)
    }

    private func trimmed(_ word: Range<Int>) -> Int {
      var stop = word.upperBound
      while stop > word.lowerBound, bytes[stop - 1] == 0x20 || bytes[stop - 1] == 0x0A {
        stop -= 1
      }
      return stop
    }
  }

  /// The cells that a piece takes; a soft hyphen is seen only where a line ends with it.
  static func cells(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
    var total = 0
    var from = range.lowerBound
    while let soft = softHyphen(bytes, from..<range.upperBound) {
      total += Clusters.cells(in: bytes, from..<soft)
      from = soft + 2
    }
    return total
      + (from < range.upperBound ? Clusters.cells(in: bytes, from..<range.upperBound) : 0)
  }

  static func endsSoftly(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    range.count >= 2 && bytes[range.upperBound - 2] == 0xC2 && bytes[range.upperBound - 1] == 0xAD
  }

  private static func softHyphen(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index + 1 < range.upperBound {
      if bytes[index] == 0xC2, bytes[index + 1] == 0xAD { return index }
      index += 1
    }
    return nil
  }
}

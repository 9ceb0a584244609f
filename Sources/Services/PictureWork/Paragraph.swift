import Images

/// Words broken into lines.
struct Paragraph {
  let lines: [String]
  let size: Double
  /// Whether all of it is there, and no word was broken.
  let isWhole: Bool

  /// No more lines than `most`; what is too long ends in dots.
  init(_ text: String, _ face: Typeface, width: Int, size: Double, most: Int) {
    self.size = size
    let words = text.split(whereSeparator: \.isWhitespace).prefix(60).map(String.init)
    var (lines, line, isWhole): ([String], String, Bool) = ([], "", true)
    for word in words {
      let longer = line.isEmpty ? word : "\(line) \(word)"
      if face.width(of: longer, size: size) <= width {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      var rest = word
      // A word that is wider than the page is broken where it must be.
      while face.width(of: rest, size: size) > width, rest.count > 1, lines.count <= most {
        isWhole = false
        let count = Self.fitting(rest, face, width, size)
        lines.append(rest.prefix(count) + "-")
        rest = String(rest.dropFirst(count))
      }
      line = rest
      if lines.count > most { break }
    }
    if !line.isEmpty { lines.append(line) }
    if lines.count > most {
      isWhole = false
      lines = Array(lines.prefix(most))
      var last = (lines.popLast() ?? "").drop { $0 == "-" }
      while last.count > 1, face.width(of: "\(last)…", size: size) > width {
        last = last.dropLast()
      }
      lines.append(last.reversed().drop { " -,:;".contains($0) }.reversed() + "…")
    }
    (self.lines, self.isWhole) = (lines, isWhole)
  }

  /// The largest of some sizes in which all of it fits; the smallest, cut, where none does.
  static func largest(
    _ text: String, _ face: Typeface, width: Int, height: Double, from: Double, to: Double
  ) -> Paragraph {
    let steps = 9
    for step in 0..<steps {
      let size = from + (to - from) * Double(step) / Double(steps - 1)
      let most = max(1, Int(height / (size * 1.62)))
      let set = Paragraph(text, face, width: width, size: size, most: most)
      // Few words want to be large, and yet not one to a line.
      let fit = step < 2 ? 3 : step < 6 ? 4 : most
      if set.isWhole, set.lines.count <= fit { return set.balanced(text, face, width) }
    }
    return Paragraph(text, face, width: width, size: to, most: max(1, Int(height / (to * 1.62))))
  }

  /// In as many lines, of about one length: a first line that is full leaves a word alone below.
  private func balanced(_ text: String, _ face: Typeface, _ width: Int) -> Paragraph {
    var (best, low, high) = (self, width / 2, width)
    while high - low > max(2, width / 50) {
      let middle = (low + high) / 2
      let set = Paragraph(text, face, width: middle, size: size, most: lines.count)
      if set.isWhole { (best, high) = (set, middle) } else { low = middle }
    }
    return best
  }

  private static func fitting(_ word: String, _ face: Typeface, _ width: Int, _ size: Double) -> Int
  {
    var (low, high) = (1, word.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if face.width(of: word.prefix(middle) + "-", size: size) <= width {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return low
  }
}

/// Words so near to a mistyped one that it was probably meant: at most two slips away, a slip being
/// one letter too many, too few, wrong, or changed with its neighbor.
package func nearest(to word: String, among candidates: some Sequence<String>) -> [String] {
  // Two slips turn any three letters into nearly any other three.
  let limit = word.count <= 3 ? 1 : 2
  guard word.utf8.count <= 64 else { return [] }
  var best = limit
  var found: [String] = []
  for candidate in candidates {
    let distance = slips(Array(word.lowercased()), Array(candidate.lowercased()))
    guard distance <= best else { continue }
    if distance < best { found = [] }
    best = distance
    if !found.contains(candidate) { found.append(candidate) }
  }
  // A word that was only begun is not near, but plain enough.
  if found.isEmpty, word.count >= 2 {
    found = candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
  }
  return unique(found)
}

/// The distance of Damerau and Levenshtein, in its optimal-string-alignment form.
func slips(_ one: [Character], _ other: [Character]) -> Int {
  guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
  var beforeLast: [Int] = []
  var last = Array(0...other.count)
  for (row, letter) in one.enumerated() {
    var line = [row + 1]
    for (column, match) in other.enumerated() {
      var best = min(last[column + 1], line[column]) + 1
      best = min(best, last[column] + (letter == match ? 0 : 1))
      if row > 0, column > 0, letter == other[column - 1], one[row - 1] == match {
        best = min(best, beforeLast[column - 1] + 1)
      }
      line.append(best)
    }
    (beforeLast, last) = (last, line)
  }
  return last[other.count]
}

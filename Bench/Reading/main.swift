import EPUB
import Machine
import Terminal
import TextSafety

// How long a book takes inside one process:
// bench-reading open|text|search|again|layout|first|turn FILE ROUNDS [WORDS].
// Prints the milliseconds of the median round and what it came to. `again` searches what is read
// already, `layout` sets all pages of a window of 80 columns, `first` paints the page a reader sees
// first, and `turn` turns every page of the book: the median turn and the slowest one, in
// microseconds.

let words = CommandLine.arguments
guard words.count >= 4, let rounds = Int(words[3]), rounds > 0 else {
  print("usage: bench-reading open|text|search|again|layout|first|turn FILE ROUNDS [WORDS]")
  ThisProcess.exit(2)
}
let file = words[2]
let query = words.count > 4 ? words[4] : "whale"

struct Unreadable: Error {}

func read(_ book: Book) throws -> Int {
  var reading = TextReading(book)
  var count = 0
  for spine in book.document.spine.indices { count += try reading.text(at: spine).text.count }
  return count
}

func pages(_ book: Book) throws -> Int {
  var reading = TextReading(book)
  var count = 0
  for spine in book.document.spine.indices {
    let layout = ItemLayout(try reading.text(at: spine), Setting(width: 72))
    count += Paging(layout.lines, height: 22).starts.count
  }
  return count
}

func reader(_ file: String) throws -> ReaderModel {
  let window = ReaderModel.Window(columns: 80, rows: 24)
  guard let model = ReaderModel(try Book(file: file), window: window) else { throw Unreadable() }
  return model
}

func painted(_ model: ReaderModel) -> Int {
  Painter(.many).paint(model.view(), in: .sepia, width: 80).text.utf8.count
}

/// Every turn from the first page to the last.
func turns(_ file: String) throws -> [Duration] {
  var model = try reader(file)
  var times: [Duration] = []
  while model.progress < 1 {
    let began = ContinuousClock.now
    _ = model.press(.character(" "))
    _ = painted(model)
    times.append(.now - began)
  }
  return times.sorted()
}

if words[1] == "turn" {
  let times = try turns(file)
  guard let slowest = times.last else { throw Unreadable() }
  print(times[times.count / 2] / .microseconds(1), slowest / .microseconds(1), times.count)
  ThisProcess.exit(0)
}

let open = try Book(file: file)
let positions = PositionList(open)
let work: () throws -> Int =
  switch words[1] {
  case "open": { try Book(file: file).document.spine.count }
  case "text": { try read(try Book(file: file)) }
  case "again": { Array(try ContentSearch(query, TextReading(open), positions)).count }
  case "layout": { try pages(try Book(file: file)) }
  case "first": { painted(try reader(file)) }
  default: { Array(try ContentSearch(query, in: try Book(file: file))).count }
  }

var times: [Duration] = []
var result = 0
for _ in 0..<rounds {
  let began = ContinuousClock.now
  result = try work()
  times.append(.now - began)
}
let median = times.sorted()[rounds / 2]
print(median / .milliseconds(1), result)

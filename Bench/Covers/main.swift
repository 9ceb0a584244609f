import Images
import Machine
import PictureWork
import Pictures

// bench-covers thumbnails FILE SECONDS: how many thumbnails a second are made of that picture.
// bench-covers processes FILE SECONDS PROGRAM: the same by carrel-picture, a process for each.
// bench-covers draw FOLDER: some placeholders, for the eye.
// bench-covers sample FILE WIDTH HEIGHT: a picture to measure with.

let words = Array(CommandLine.arguments.dropFirst())
let thumbnail = PictureBox(200, 300)

func thumbnails(_ path: String, _ seconds: Double) throws {
  let bytes = try WholeFile.read(path, upTo: 64 << 20)
  let (start, span) = (ContinuousClock.now, Duration.seconds(seconds))
  var count = 0
  while start.duration(to: .now) < span {
    let picture = try Picture(decoding: bytes)
    let small = try picture.scaled(toFit: thumbnail.width, thumbnail.height)
    guard try !small.jpeg().isEmpty else { return }
    count += 1
  }
  print(Double(count) / (start.duration(to: .now) / .seconds(1)))
}

func processes(_ path: String, _ seconds: Double, _ program: String) async throws {
  let bytes = try WholeFile.read(path, upTo: 64 << 20)
  let maker = PictureProgram(program).maker
  let (start, span) = (ContinuousClock.now, Duration.seconds(seconds))
  var count = 0
  while start.duration(to: .now) < span {
    guard try await !maker.fitting([thumbnail], bytes)[0].isEmpty else { return }
    count += 1
  }
  print(Double(count) / (start.duration(to: .now) / .seconds(1)))
}

func draw(_ folder: String) throws {
  let art = try PlaceholderArt()
  let books = [
    ("w1", "Emma", ["Jane Austen"]),
    ("w22", "The Strange Case of Dr Jekyll and Mr Hyde", ["Robert Louis Stevenson"]),
    (
      "w333",
      "A Narrative of the Proceedings of the Black People, During the Late Awful Calamity in "
        + "Philadelphia, in the Year 1793", ["Absalom Jones", "Richard Allen"]
    ),
    ("w4", "Преступление и наказание", ["Фёдор Достоевский"]),
    ("w5", "源氏物語", ["紫式部"]),
    ("w6", "Donaudampfschifffahrtsgesellschaftskapitän", ["Günter Öztürk-Łukasiewicz"]),
    ("w7", "Tom & Jerry <3", []),
    ("w8", "One, Two, Three", ["A", "B", "C"]),
    ("w9", "1984", ["George Orwell"]),
  ]
  for (work, title, authors) in books {
    for size in [thumbnail, PictureBox(800, 1200)] {
      let book = PlaceholderCover(work: work, title: title, authors: authors, size: size)
      try WholeFile.write(try art.draw(book).png(), to: "\(folder)/\(work)-\(size.width).png")
    }
  }
}

/// Something like a photograph: soft, with a grain.
func sample(_ path: String, _ width: Int, _ height: Int) throws {
  let picture = try Picture(width: width, height: height, Color(0x335577))
  let chance = Chance.seeded(1)
  for _ in 0..<4000 {
    let color = Color(chance.number(in: 0..<0xFF_FFFF))
    picture.disc(
      x: chance.number(in: 0..<width), y: chance.number(in: 0..<height),
      diameter: chance.number(in: 4..<120), color)
  }
  try WholeFile.write(try picture.jpeg(quality: 88), to: path)
}

switch (words.first, words.count) {
case ("thumbnails", 3): try thumbnails(words[1], Double(words[2]) ?? 2)
case ("processes", 4):
  try await processes(words[1], Double(words[2]) ?? 2, words[3])
case ("draw", 2): try draw(words[1])
case ("sample", 4): try sample(words[1], Int(words[2]) ?? 0, Int(words[3]) ?? 0)
default:
  print(
    "bench-covers thumbnails FILE SECONDS | processes FILE SECONDS PROGRAM | draw FOLDER "
      + "| sample FILE WIDTH HEIGHT")
}

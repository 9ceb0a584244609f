/// A story that nobody wrote, long enough to be turned, searched and marked like any other: the same for
/// the same title on every machine.
struct MockStory {
  struct Chapter {
    let heading: String
    let paragraphs: [String]
  }

  let chapters: [Chapter]

  /// For books of which a few words are enough.
  static let brief = [
    Chapter(heading: "One", paragraphs: ["It begins."]),
    Chapter(heading: "Two", paragraphs: ["Here the story ends."]),
  ]

  init(of title: Title) {
    var random = SeededRandom(seed: 0, for: "story \(title.id)")
    let hero = random.pick(Self.heroes)
    let town = random.pick(Self.towns)
    let headings = Self.headings.shuffled(using: &random).prefix(6)
    chapters = headings.enumerated().map { number, heading in
      var sentences = Self.sentences.shuffled(using: &random)
      var paragraphs = (0..<9).map { _ in
        let count = 2 + random.below(3)
        let some = sentences.prefix(count)
        sentences = Array(sentences.dropFirst(count) + some)
        return some.joined(separator: " ")
      }
      if number == headings.count - 1 { paragraphs.append("Here the story ends.") }
      return Chapter(
        heading: heading,
        paragraphs: paragraphs.map {
          $0.split(separator: "HERO", omittingEmptySubsequences: false).joined(separator: hero)
            .split(separator: "TOWN", omittingEmptySubsequences: false).joined(separator: town)
        })
    }
  }

  /// What stands before the story, between its title and its first words.
  static let picture = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400"><path fill="#f3dfc1" \
    d="M0 0h640v400H0z"/><circle cx="452" cy="150" r="56" fill="#d9792e"/><path fill="#8fa9a6" \
    d="M0 236l110-74 96 62 118-96 120 92 92-54 104 70v164H0z"/><path fill="#44666b" \
    d="M0 292c90-26 168-20 250 2s190 26 390-10v116H0z"/><path fill="#2b3f46" \
    d="M214 306h150l-22 32H240z"/><path fill="#8a3324" d="M284 212v88h-58z"/><path fill="#faf8f4" \
    d="M292 226l52 74h-52z"/></svg>
    """

  private static let heroes = ["Marta", "Idris", "Solveig", "Tomás", "Nell", "Aurelio"]
  private static let towns = ["Harbour Street", "the Lower Town", "Dunmore", "the Salt Quay"]
  private static let headings = [
    "The Ferry", "A Letter for Nobody", "What the Clock Said", "Rain", "The Second Key",
    "An Old Map", "Bread and Salt", "The Long Way Round", "Lanterns", "Low Tide",
  ]
  private static let sentences = [
    "HERO came down to the water before the lamps were out.",
    "Nobody in TOWN had seen the ferry leave, and nobody had seen it come back.",
    "The letter was written in a careful hand, as if each word had been paid for.",
    "There was a smell of tar and oranges, and somewhere a dog that would not be quiet.",
    "“You are early,” said the man at the gate, although he had no watch.",
    "HERO did not answer, because there are questions that only get longer when one does.",
    "By noon the wind had turned, and with it the whole talk of the market.",
    "A key is a small thing to carry for forty years.",
    "The map showed a street that had been pulled down before either of them was born.",
    "Below the window the river went on being a river, which was a comfort.",
    "“Then we shall go the long way round,” HERO said, and took the lantern from its hook.",
    "In TOWN people lock their doors late and open them early, and think little of either.",
    "The baker counted the coins twice and gave one of them back.",
    "It rained for three days, and on the fourth the cellar began to speak.",
    "Someone had drawn a small boat in the margin, with its sail the wrong way round.",
    "There was still time, or so the clock said, which had been wrong since the flood.",
    "HERO folded the paper along its old creases and put it where it had always been.",
    "The stairs were worn in the middle, like everything that people agree about.",
    "“I have kept it for you,” the old woman said, “but I did not keep it dry.”",
    "What was left of the light lay on the table between them.",
    "Far out, past the last buoy, a bell rang that was not on any chart.",
    "They walked as far as the lime trees without saying anything of importance.",
    "The second drawer held string, candle ends, and a photograph of a bridge.",
    "Nothing had been taken, and that was the strange part of it.",
    "HERO thought of the house in TOWN, of the blue door and the step that gave.",
    "Morning came the way it does after such nights: all at once, and a little late.",
    "On the quay the crates stood in rows, each with a name that was nearly right.",
    "“Some books,” the librarian said, “are only ever lent.”",
    "The tide would be out at six, and with it every excuse.",
    "Later they would agree that it had begun with the orchard, but that was later.",
  ]
}

import Testing

@testable import Shelving

@Suite struct `A subject` {
  @Test(
    arguments: [
      // Codes and paths of BISAC.
      ("FIC022040", "mystery"), ("FIC028010", "science-fiction"), ("CKB042000", "cooking"),
      ("HIS027100", "military-history"), ("JUV037000", "fantasy"), ("POE000000", "poetry"),
      ("FICTION / Mystery & Detective / General", "mystery"),
      ("FICTION / Romance / Contemporary", "romance"), ("FICTION / General", "fiction"),
      ("HISTORY / Military / World War II", "military-history"),
      ("HISTORY / Asia / India & South Asia", "history-world"),
      ("COOKING / Beverages / Coffee & Tea", "cooking"),
      ("YOUNG ADULT FICTION|Fantasy|", "fantasy"),
      ("JUVENILE NONFICTION / Animals / Dogs", "nature"),
      // Headings of the Library of Congress.
      ("Whaling -- Fiction", "fiction"), ("Sea stories", "adventure"),
      ("Detective and mystery stories", "mystery"), ("Love stories", "romance"),
      ("English poetry -- 19th century", "poetry"), ("Fables, Greek", "folklore"),
      ("English poetry -- History and criticism", "literary-criticism"),
      ("United States -- History -- Civil War, 1861-1865", "history"),
      ("France -- Social life and customs", "society"), ("Cooking, French", "cooking"),
      ("Rome -- History -- Fiction", "historical-fiction"),
      ("Italy -- Description and travel", "travel"), ("Artists -- Correspondence", "essays"),
      ("Chemistry, Organic", "science"), ("World War, 1914-1918", "military-history"),
      // Its classes, and numbers of Dewey.
      ("PR", "literature"), ("PZ", "fiction"), ("QA76.73.P98", "computers"), ("QA", "mathematics"),
      ("TX", "cooking"), ("E838", "history-american"), ("F001", "history-american"),
      ("BF", "psychology"), ("813.54", "fiction"), ("823", "fiction"), ("821", "poetry"),
      ("641.5", "cooking"), ("[Fic]", "fiction"), ("940.53", "military-history"),
      // Shelves.
      ("Category: Science-Fiction & Fantasy", "science-fiction"),
      ("Browsing: Religion/Spirituality/Paranormal", "religion"),
      ("Category: Mystery/Thriller/Crime", "mystery"), ("Horror (Bookshelf)", "horror"),
      ("Category: Nature/Gardening/Animals", "nature"), ("Adventure", "adventure"),
      ("FR Poésie", "poetry"), ("DE Lyrik", "poetry"),
      // Words of vendors.
      ("Juvenile Fiction", "fiction"), ("Self-Improvement", "self-help"),
      ("Comic and Graphic Books", "comics"), ("Biography & Autobiography", "biography"),
      ("Children's Health", "health"), ("Sports & Recreations", "sports-games"),
    ])
  func `a subject in any scheme is mapped to a Carrel genre`(pair: (subject: String, genre: String))
  {
    #expect(Classification(subjects: [pair.subject]).genres.contains(pair.genre))
  }

  @Test(
    arguments: [
      ("FICTION / Science Fiction / General", Genre.Kind.fiction), ("Whaling -- Fiction", .fiction),
      ("Category: Novels", .fiction), ("JNF025000", .nonfiction), ("813.54", .fiction),
      ("France -- History", .nonfiction), ("Mathematics", .nonfiction), ("Nonfiction", .nonfiction),
    ])
  func `A subject tells what is invented from what is not`(
    pair: (subject: String, kind: Genre.Kind)
  ) {
    #expect(Classification(subjects: [pair.subject]).kind == pair.kind)
  }

  @Test(
    arguments: [
      ("JUVENILE FICTION / Animals", Readership.children), ("Juvenile Fiction", .children),
      ("YAF019000", .youngAdult), ("Young Adult Fiction", .youngAdult),
      ("Alice (Fictitious character) -- Juvenile fiction", .children), ("JNF003000", .children),
      ("Children's stories", .children), ("Category: Children & Young Adult Reading", .children),
    ])
  func `A subject tells whom the book is for`(pair: (subject: String, readers: Readership)) {
    #expect(Classification(subjects: [pair.subject]).readers == pair.readers)
  }

  @Test(arguments: ["", "  ", "Zzyzx", "-- --", "///", "|", "\u{0}", "PRX", "12", "1234", "Ü"])
  func `A subject that nobody knows names none`(subject: String) {
    #expect(Classification(subjects: [subject]) == Classification())
  }

  @Test func `A subject of facts does not put a novel among the books of facts`() {
    let novel = Classification(subjects: [
      "Whaling -- Fiction", "Whales -- Behavior", "Sea stories", "PS", "Category: Novels",
    ])
    #expect(novel.kind == .fiction)
    #expect(novel.genres.contains("adventure"))
    #expect(!novel.genres.contains("nature"))
  }

  @Test func `A subject of a part of a genre names the whole, too`() {
    let genres = Classification(subjects: ["HISTORY / Military / General"]).genres
    #expect(genres == ["military-history", "history"])
  }

  @Test func `A subject that ten thousand letters or subjects long costs no more than a few`() {
    let long = String(repeating: "history -- ", count: 10_000)
    let many = (0..<10_000).map { "Subject \($0)" }
    #expect(Classification(subjects: [long]).genres == ["history"])
    #expect(Classification(subjects: many).genres.isEmpty)
  }
}

@Suite struct `The table of genres` {
  @Test func `The table of genres names each genre once, in letters and dashes`() {
    let ids = Genre.all.map(\.id)
    #expect(ids.count > 50)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { $0.allSatisfy { $0 == "-" || $0.isLowercase } })
  }

  @Test func `The table of genres has the parent of each part above it`() {
    for genre in Genre.all {
      guard let parent = genre.parent else { continue }
      let (own, other) = (Genre.all.firstIndex(of: genre), Genre.named(parent))
      #expect(other.flatMap { Genre.all.firstIndex(of: $0) }.map { $0 < own! } == true)
    }
  }
}

@Suite struct `The lanes that everybody starts with` {
  @Test func `the default lanes have unique ids, and there is one for each genre`() {
    let ids = Lane.defaults.flatMap(\.flattened).map(\.lane.id)
    #expect(Set(ids).count == ids.count)
    #expect(Set(Genre.all.map(\.id)).isSubset(of: ids))
  }
}

@Suite struct `A name without case and signs` {
  @Test(arguments: [
    "", "  ", "Sea stories", "Fables, Greek", "World War, 1914-1918", "(all)", "a--b", "x1 2y ",
  ])
  func `A name without case and signs is the same whichever way it is read`(text: String) {
    // A sign beyond ASCII that stands for no letter sends the same text the long way.
    #expect(normal(text) == normal(text + "\u{BF}"))
  }
}

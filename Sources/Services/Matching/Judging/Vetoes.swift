import Circulation

/// What no likeness makes up for.
struct Vetoes {
  let one: Dossier
  let two: Dossier
  let titles: TitleMeeting
  let authors: AuthorMeeting

  /// In words; nil when nothing speaks against it.
  func reason() -> String? {
    kinds() ?? variants() ?? slots() ?? series() ?? medium() ?? language()
  }

  private func kinds() -> String? {
    for kind in Kind.allCases {
      let (mine, theirs) = (one.title.kinds.contains(kind), two.title.kinds.contains(kind))
      guard mine != theirs else { continue }
      // A name that holds such a word is on both sides; only what one adds counts.
      return "one is \(kind.rawValue)"
    }
    return nil
  }

  private func variants() -> String? {
    let odd = one.title.variants.symmetricDifference(two.title.variants)
    return odd.min().map { "only one is “\($0)”" }
  }

  private func slots() -> String? {
    let (mine, theirs) = (one.title.slots, two.title.slots)
    if let a = mine.volume, let b = theirs.volume, a != b {
      return "volume \(a) is not volume \(b)"
    }
    if let a = mine.last, let b = theirs.last, a != b {
      return "one goes on to number \(a), the other to \(b)"
    }
    if let a = mine.year, let b = theirs.year, a != b { return "the year \(a) is not \(b)" }
    if let a = mine.volume, let b = theirs.place, mine.place == nil, Double(a) != b, isSameName {
      return "volume \(a) is not number \(plain(b))"
    }
    if let a = theirs.volume, let b = mine.place, theirs.place == nil, Double(a) != b, isSameName {
      return "volume \(a) is not number \(plain(b))"
    }
    if let a = mine.place, let b = theirs.place, a != b {
      return "number \(plain(a)) is not number \(plain(b))"
    }
    // The first volume is often listed without its number; a later one is not.
    for (has, lacks) in [(mine, theirs), (theirs, mine)] {
      if let volume = has.volume, volume > 1, lacks.volume == nil, lacks.place == nil,
        one.numbers.isbns.isDisjoint(with: two.numbers.isbns), !hasNumber(volume),
        titles != .full || one.title.subtitles.isEmpty
      {
        return "only one is volume \(volume)"
      }
    }
    return nil
  }

  private func hasNumber(_ value: Int) -> Bool {
    (one.title.series + two.title.series).contains { $0.position == Double(value) }
  }

  /// Places in a series are counted in more than one way, so they only tell titles apart that are
  /// not alike otherwise, or that are the name of the series.
  private func series() -> String? {
    for a in one.title.series {
      for b in two.title.series {
        guard let here = a.position, let there = b.position, here != there else { continue }
        let isOne = a.name == b.name || a.name.isEmpty || b.name.isEmpty
        guard isOne else { continue }
        let isNamed = [one.title.main, two.title.main].contains { main in
          main.joined(separator: " ") == a.name || main.joined(separator: " ") == b.name
        }
        // A number by itself behind two equal names is all that tells them apart.
        if titles != .full || isNamed || a.name.isEmpty && b.name.isEmpty {
          return "number \(plain(here)) of the series is not number \(plain(there))"
        }
      }
    }
    return nil
  }

  private func medium() -> String? {
    let group: (Dossier) -> String? = { dossier in
      switch dossier.candidate.medium {
      case .comic: "a comic"
      case .magazine: "a magazine"
      case .music: "music"
      case .video: "a film"
      case .book, .audiobook: "a book"
      case .other, nil: nil
      }
    }
    // Whoever does not say what it is means a book.
    let isToldOnce = (one.candidate.medium == nil) != (two.candidate.medium == nil)
    if isToldOnce, let other = [one, two].compactMap(\.candidate.medium).first,
      [.video, .music].contains(other)
    {
      return "only one is \(other == .video ? "a film" : "music")"
    }
    guard let mine = group(one), let theirs = group(two), mine != theirs else { return nil }
    return "one is \(mine), the other \(theirs)"
  }

  private func language() -> String? {
    guard !one.languages.isEmpty, !two.languages.isEmpty,
      one.languages.isDisjoint(with: two.languages),
      one.numbers.works.isDisjoint(with: two.numbers.works),
      !one.title.isBilingual, !two.title.isBilingual
    else { return nil }
    let (a, b) = (
      one.languages.sorted().joined(separator: "+"), two.languages.sorted().joined(separator: "+")
    )
    return "another language: \(a), \(b)"
  }

  private var isSameName: Bool {
    one.title.letters == two.title.letters
  }

  private func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
  }
}

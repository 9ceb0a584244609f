import Circulation
import EPUB
import StoreSupport
import TestSupport
import Testing

@testable import Reading

private let ada = PatronID("ada")
private let book = AnnotatedBook(digest: "d1", identifier: "urn:x", title: "A Book", authors: [])
private let terminal = ReadingDevice(id: "terminal", name: "the terminal")
private let phone = ReadingDevice(id: "urn:phone", name: "the phone")

private func place(_ progress: Double) -> Locator {
  var locator = Locator(href: "c1.xhtml")
  locator.cfi = try? CFI("epubcfi(/6/4!/4/2)")
  locator.totalProgression = progress
  return locator
}

@Suite struct `Where a reader stands in a book` {
  private let names = BookNames(book, work: WorkID("w7"))

  private func keep(
    _ positions: Positions, _ progress: Double, on device: ReadingDevice, at moment: Int64? = nil
  ) async throws {
    try await positions.keep(
      place(progress), progress, in: names, titled: "A Book", on: device, at: moment, of: ada)
  }

  @Test(arguments: Engine.allCases)
  func `a device resumes its own reading place and is offered a newer one from another device`(
    engine: Engine
  )
    async throws
  {
    try await withStore(engine) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      try await keep(positions, 0.2, on: terminal)
      clock.advance(by: 1000)
      try await keep(positions, 0.6, on: phone)
      let here = try await positions.standing(in: names, on: terminal, of: ada)
      #expect(here.here?.progress == 0.2 && here.elsewhere?.progress == 0.6)
      #expect(here.elsewhere?.device == "the phone")
      #expect(here.here?.locator == place(0.2))
      // Seen from the phone, the terminal was there before.
      let there = try await positions.standing(in: names, on: phone, of: ada)
      #expect(there.here?.progress == 0.6 && there.elsewhere == nil)
      // Whoever reads on here is asked no more.
      clock.advance(by: 1000)
      try await keep(positions, 0.21, on: terminal)
      #expect(try await positions.standing(in: names, on: terminal, of: ada).elsewhere == nil)
      // And the phone may be asked to go back.
      #expect(
        try await positions.standing(in: names, on: phone, of: ada).elsewhere?.progress == 0.21)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a reading place is found by the work, the file or the name of a book`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      // An app that knows the work alone, and tells no steps.
      _ = try await positions.keepNewer(
        Position(
          document: "w7", progress: 0.4, place: "chapter9.html#par36\n#t=40.2", device: "Aldiko",
          deviceID: "urn:a", at: clock.now), of: ada)
      let offered = try await positions.standing(in: names, on: terminal, of: ada).elsewhere
      #expect(offered?.device == "Aldiko" && offered?.locator.totalProgression == 0.4)
      #expect(offered?.locator.href == "chapter9.html" && offered?.locator.fragments == ["par36"])
      clock.advance(by: 1)
      try await keep(positions, 0.5, on: terminal)
      let told = try await positions.position(in: "w7", of: ada)
      #expect(told?.place == "#epubcfi(/6/4!/4/2)" && told?.progress == 0.5)
      #expect(told?.locator.cfi == place(0.5).cfi)
      // Another file of the same book.
      let other = BookNames(AnnotatedBook(digest: "d2", identifier: "urn:x"))
      #expect(try await positions.standing(in: other, on: terminal, of: ada).here?.progress == 0.5)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Where a reader stands in a book: is not moved by what a device was late to tell`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      try await keep(positions, 0.5, on: phone)
      try await keep(positions, 0.3, on: phone, at: clock.now - 1)
      #expect(try await positions.standing(in: names, on: phone, of: ada).here?.progress == 0.5)
      // A clock that is ahead wins nothing by it.
      try await keep(positions, 0.6, on: terminal, at: clock.now + 1_000_000)
      clock.advance(by: 1)
      try await keep(positions, 0.7, on: phone)
      #expect(
        try await positions.standing(in: names, on: terminal, of: ada).elsewhere?.progress == 0.7)
    }
  }

  @Test(arguments: Engine.allCases)
  func `reading places are kept for a limited number of devices per book`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      var settings = Positions.Settings()
      settings.mostDevices = 3
      let positions = Positions(store: store, settings: settings, now: { clock.now })
      for number in 1...5 {
        clock.advance(by: 1)
        try await keep(positions, 0.1, on: ReadingDevice(id: "d\(number)", name: "d"))
      }
      for number in 1...5 {
        let device = ReadingDevice(id: "d\(number)", name: "d")
        let here = try await positions.standing(in: names, on: device, of: ada).here
        #expect((here != nil) == (number > 2))
      }
    }
  }

  @Test func `Where a reader stands in a book: is found for a file that was handed out before`()
    async throws
  {
    try await withStore(.sqlite) { store, clock in
      let positions = Positions(store: store, now: { clock.now })
      #expect(try await positions.work(ofFile: "d1", for: ada) == nil)
      try await positions.note(file: "d1", of: WorkID("w7"), for: ada)
      #expect(try await positions.work(ofFile: "d1", for: ada) == WorkID("w7"))
    }
  }
}

import Circulation
import Testing

@testable import Covers

@Suite struct `Room for covers` {
  private static let patience = Duration.seconds(30)

  @Test func `a library has a third of the room, and another one the rest`() async {
    let room = CoverRoom(patience: .zero)
    let (slow, other, third) = (LibraryID("slow"), LibraryID("other"), LibraryID("third"))
    for library in [slow, other, third] {
      for _ in 0..<4 { #expect(await room.enter(library)) }
      #expect(await !room.enter(library))
    }
    #expect(await !room.enter(LibraryID("fourth")))
    room.leave(slow)
    #expect(await room.enter(LibraryID("fourth")))
  }

  @Test func `catalogs that patrons named have two each and four together`() async {
    let room = CoverRoom(patience: .zero)
    let catalogs = (1...3).map { LibraryID("https://\($0).example/opds") }
    var entered: [Bool] = []
    for catalog in catalogs { for _ in 0..<3 { entered.append(await room.enter(catalog)) } }
    #expect(entered == [true, true, false, true, true, false, false, false, false])
    for _ in 0..<4 { #expect(await room.enter(LibraryID("city"))) }
  }

  @Test func `a cover that waits goes on when there is room`() async {
    let room = CoverRoom(patience: Self.patience)
    let library = LibraryID("city")
    for _ in 0..<4 { #expect(await room.enter(library)) }
    async let next = room.enter(library)
    room.leave(library)
    #expect(await next)
  }
}

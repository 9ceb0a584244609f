import Circulation

/// A harvest under way: while one page is stored the next ones are asked for and made ready, and
/// none waits for another but in the order of the catalogue.
struct HarvestCourse {
  /// How the library stands when a page of it is stored.
  struct Step: Sendable {
    let row: LibraryRow
    let tally: HarvestTally
  }

  typealias Storing =
    @Sendable (HarvestReader.Leaf, LibraryRow, HarvestTally) async throws(HarvestFailure) -> Step

  /// Pages in memory besides the one that is stored. Two take no less time: the last ones then wait
  /// to be stored when nothing else is left to do.
  private static let most = 1

  private let reader: HarvestReader
  private let store: Storing
  private var row: LibraryRow
  private var tally: HarvestTally
  /// The page that is stored next, or being stored; pages are counted as they are asked for.
  private var turn = 0
  private var isStoring = false
  /// Where the pages are that were asked for, by their numbers.
  private var cursors: [HarvestCursor?] = []
  /// What is known of the last of them.
  private var last: HarvestReader.Answer?
  private var ready: [Int: HarvestReader.Leaf] = [:]

  private enum Event: Sendable {
    case answered(Int, HarvestReader.Answer)
    case ready(Int, HarvestReader.Leaf)
    case stored(Result<Step, HarvestFailure>)
  }

  init(
    _ row: LibraryRow, _ tally: HarvestTally, _ reader: HarvestReader, storing: @escaping Storing
  ) {
    (self.row, self.tally, self.reader, store) = (row, tally, reader, storing)
  }

  /// To the end of the catalogue, or to the first page that fails.
  consuming func run(
    _ progress: @Sendable (HarvestTally) -> Void
  ) async throws(HarvestFailure) -> HarvestTally {
    var course = self
    return try await withTaskGroup(of: Event.self) { group in
      await course.finish(&group, progress)
    }.get()
  }

  private mutating func finish(
    _ group: inout TaskGroup<Event>, _ progress: @Sendable (HarvestTally) -> Void
  ) async -> Result<HarvestTally, HarvestFailure> {
    defer { group.cancelAll() }
    while row.underWay != nil {
      goOn(&group)
      guard let event = await group.next() else { break }
      do throws(HarvestFailure) { try take(event, &group, progress) } catch {
        return .failure(error)
      }
    }
    return .success(tally)
  }

  /// Starts whatever can be started.
  private mutating func goOn(_ group: inout TaskGroup<Event>) {
    if !isStoring, cursors.count > turn, cursors[turn] != row.cursor {
      // Somebody else stored it: nothing that was asked for leads on from where the harvest is now.
      (turn, last, ready) = (cursors.count, nil, [:])
    }
    if !isStoring, cursors.count == turn {
      ask(row.cursor, &group)
    } else if let cursor = last?.next, cursors.count - turn <= Self.most {
      ask(cursor, &group)
    }
    if !isStoring, let leaf = ready.removeValue(forKey: turn) {
      isStoring = true
      group.addTask { [store, row, tally] in
        do throws(HarvestFailure) {
          return .stored(.success(try await store(leaf, row, tally)))
        } catch {
          return .stored(.failure(error))
        }
      }
    }
  }

  private mutating func ask(_ cursor: HarvestCursor?, _ group: inout TaskGroup<Event>) {
    let number = cursors.count
    cursors.append(cursor)
    last = nil
    group.addTask { [reader] in .answered(number, await reader.answer(after: cursor)) }
  }

  private mutating func take(
    _ event: Event, _ group: inout TaskGroup<Event>, _ progress: @Sendable (HarvestTally) -> Void
  ) throws(HarvestFailure) {
    switch event {
    case .answered(let number, let answer):
      guard number >= turn else { break }
      last = answer
      group.addTask { [reader, row] in .ready(number, await reader.leaf(of: answer, for: row)) }
    case .ready(let number, let leaf):
      if number >= turn { ready[number] = leaf }
    case .stored(let result):
      let step = try result.get()
      row = step.row
      if step.tally != tally { progress(step.tally) }
      tally = step.tally
      isStoring = false
      turn += 1
    }
  }
}

import CSV
import Circulation
import ProviderKit
import Synchronization

/// The reader's own ratings. No list tells them: they come all at once, as a file (§3). So they are
/// asked for with the first page of a list, and kept for the others.
final class Ratings: Sendable {
  private let held = Mutex<[Key: Int]?>(nil)

  var kept: [Key: Int]? { held.withLock { $0 } }

  func keep(_ ratings: [Key: Int]) { held.withLock { $0 = ratings } }

  static func read(_ answer: Answer, _ operation: Circulation.Operation)
    throws(CirculationError) -> [Key: Int]
  {
    guard answer.isSuccess, !answer.isPage else {
      _ = try Documents.object(answer, operation)
      throw Documents.malformed("a table of ratings", operation)
    }
    // Whoever never rated anything gets a file without even a header.
    if answer.body.allSatisfy({ $0 <= 0x20 }) { return [:] }
    var ratings: [Key: Int] = [:]
    do throws(CSVError) {
      var table = try CSVTable(answer.body)
      guard table.has("Work ID"), table.has("Rating") else {
        throw CSVError(line: 1, reason: .noHeader)
      }
      while let row = try table.next() {
        guard let key = row["Work ID"].flatMap({ Key($0, .work) }),
          let stars = row["Rating"].flatMap({ Int($0) })
        else { throw CSVError(line: row.line, reason: .wrongCount) }
        ratings[key] = (1...5).contains(stars) ? stars : nil
      }
    } catch {
      throw Documents.malformed("a table of ratings", operation)
    }
    return ratings
  }
}

extension OpenLibraryProvider {
  func ratings(afresh: Bool, in call: Call) async throws(CirculationError) -> [Key: Int] {
    if !afresh, let kept = heard.kept { return kept }
    let answer = try await ask(.list, in: call) { _ in settings.ratings }
    let told = try Ratings.read(answer, .list)
    heard.keep(told)
    return told
  }
}

import Database
import Machine
import Setup

/// How much room there is on the disks of the gateway's folders. A network file system that hangs holds
/// up a thread of its own, and monitoring hears nothing of the disks until it answers.
actor DiskSurvey {
  struct Figure: Sendable {
    let folder: String
    let disk: FileSystem
  }

  /// How long a scrape waits for it.
  private static let limit = Duration.seconds(2)

  private let folders: [(name: String, path: String)]
  private var known: (at: ContinuousClock.Instant, figures: [Figure])?
  private var isLooking = false

  init(_ house: House) {
    let configuration = house.configuration
    let data = configuration.paths.data ?? house.seat.place.data
    var folders = [
      (name: "data", path: data),
      (name: "cache", path: configuration.paths.cache ?? house.seat.place.cache),
    ]
    if case .sqlite(let path) = house.store.location, !path.hasPrefix(data + "/") {
      folders.append((name: "database", path: path))
    }
    self.folders = folders
  }

  func figures() async -> [Figure] {
    if let known, known.at.duration(to: .now) < .seconds(10) { return known.figures }
    guard !isLooking else { return [] }
    isLooking = true
    let folders = folders
    let (found, finding) = AsyncStream.makeStream(of: [Figure].self)
    OwnThread.start {
      let figures = folders.compactMap { name, path in
        (try? FileSystem(holding: path)).map { Figure(folder: name, disk: $0) }
      }
      finding.yield(figures)
      finding.finish()
      Task { await self.end(figures) }
    }
    let timer = Task {
      do throws(CancellationError) { try await Time.system.sleep(for: Self.limit) } catch { return }
      finding.finish()
    }
    var figures: [Figure] = []
    for await one in found { figures = one }
    timer.cancel()
    return figures
  }

  private func end(_ figures: [Figure]) {
    known = (.now, figures)
    isLooking = false
  }
}

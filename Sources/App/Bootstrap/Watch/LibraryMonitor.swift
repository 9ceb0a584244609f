import Log
import Machine
import Setup
import Synchronization

/// Knows which libraries a fault in their settings disables, such as a secret file that cannot be read.
/// A file may be corrected or lost while the gateway runs, so it looks again every minute.
final class LibraryMonitor: Sendable {
  static let interval = Duration.seconds(60)

  private let find: @Sendable () -> [ConfigurationFault]
  private let logger: Logger
  private let known = Mutex<[ConfigurationFault]>([])

  init(_ configuration: Configuration, _ logger: Logger) {
    self.logger = logger
    find = {
      LibraryCheck.faults(of: configuration.libraries, endpoints: configuration.endpoints)
    }
  }

  /// The libraries that cannot be used, by their names in the settings.
  var disabled: Set<String> {
    known.withLock { faults in
      Set(faults.filter { $0.effect != .disablesAdobe }.compactMap(\.library))
    }
  }

  /// Looks once, and writes what changed to the log.
  func look() {
    let found = find()
    let before = known.withLock { faults in
      defer { faults = found }
      return faults
    }
    for fault in found where !before.contains(fault) {
      logger.error(
        fault.effect == .disablesAdobe
          ? "a library makes no tokens for Adobe's programs" : "a library is disabled",
        [.pair("library", fault.library ?? ""), .pair("why", fault.description)])
    }
    for library in Set(before.compactMap(\.library)).subtracting(found.compactMap(\.library))
      .sorted()
    {
      logger.info("a library is enabled again", [.pair("library", library)])
    }
  }

  func run(_ time: Time) async {
    while !Task.isCancelled {
      do throws(CancellationError) { try await time.sleep(for: Self.interval) } catch { return }
      look()
    }
  }
}

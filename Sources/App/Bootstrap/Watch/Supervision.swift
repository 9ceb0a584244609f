import Console
import FrontDesk
import Log
import Machine
import Setup
import TextSafety

/// The service manager's side of the gateway: it hears how things stand, and asks for settings to be
/// read anew. Where there is none, all of it is quietly nothing.
final class Supervision: Sendable {
  let log: Log
  let logger: Logger
  private let manager: ServiceManager
  private let place: GatewayPlace
  private let configuration: Configuration

  init(_ configuration: Configuration, _ place: GatewayPlace) {
    (self.configuration, self.place) = (configuration, place)
    let environment = Environment(place.environment)
    log = Log(configuration.log, inJournal: Journal.receives(in: environment))
    logger = Logger(to: log)
    manager = ServiceManager(in: environment, process: place.processID)
  }

  /// A manager that cannot be told has its own time-outs; the readers are served all the same.
  func tell(_ news: ServiceManager.News...) {
    for one in news { try? manager.tell(one) }
  }

  /// Tells that the tasks of this process still get their turn.
  func feedWatchdog() async {
    guard let interval = manager.watchdogInterval else { return }
    while !Task.isCancelled {
      tell(.watchdog)
      do throws(CancellationError) { try await Time.system.sleep(for: interval / 2) } catch {
        return
      }
    }
  }

  /// What can change while the gateway runs is changed at once; of the rest it is said that it waits.
  func reload(_ house: House, _ libraries: LibraryMonitor) async {
    guard let reloads = place.reloads else { return }
    var current = configuration
    for await reload in reloads {
      tell(.reloading)
      // A secret file may have been corrected since the last look.
      libraries.look()
      switch reload {
      case .settings(let new):
        log.level = Level(named: new.log.level.rawValue) ?? log.level
        house.rack.exchange(for: new.lanes.shown)
        let waiting = Self.changed(from: current, to: new).filter { !Self.atOnce($0) }
        for fault in new.faults where !current.faults.contains(fault) {
          logger.error(
            "the new settings have a fault",
            [.pair("library", fault.library ?? ""), .pair("why", fault.description)])
        }
        logger.info("settings read anew")
        if !waiting.isEmpty {
          logger.warn(
            "some settings wait for a restart",
            [.pair("settings", waiting.joined(separator: " "))])
        }
        current = new
      case .refused(let why):
        logger.error("the settings have faults: the old ones stay", [.pair("why", why)])
      }
      tell(.ready)
    }
  }

  private static func atOnce(_ key: String) -> Bool {
    key == "log.level" || key.hasPrefix("lanes.")
  }

  private static func changed(from old: Configuration, to new: Configuration) -> [String] {
    let before = Dictionary(
      old.resolved.map { ($0.spec.key, $0.texts) }, uniquingKeysWith: { first, _ in first })
    let settings = new.resolved.filter { before[$0.spec.key] != $0.texts }.map(\.spec.key)
    func libraries(_ configuration: Configuration) -> [String: [String: String]] {
      Dictionary(configuration.libraries.map { ($0.id, $0.content) }, uniquingKeysWith: { $1 })
    }
    let isSame =
      libraries(old) == libraries(new) && old.endpoints.sets == new.endpoints.sets
    return (settings + (isSame ? [] : ["libraries"])).sorted()
  }
}

extension Log {
  convenience init(_ settings: Configuration.Log, inJournal: Bool) {
    self.init(
      level: Level(named: settings.level.rawValue) ?? .info,
      format: LineFormat(rawValue: settings.format.rawValue) ?? .logfmt, inJournal: inJournal,
      time: { Time.system.now().rfc3339(.milliseconds) },
      // A log that cannot be written must not stop the gateway.
      sink: { line in try? OutputStream.error.write(document: line) })
  }
}

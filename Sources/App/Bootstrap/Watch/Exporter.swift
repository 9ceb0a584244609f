import Circulation
import Database
import Desk
import Downloads
import HTTPServer
import Log
import Machine
import Metrics
import Notices
import ProviderKit
import Registry
import Scanning
import Schedule
import Setup
import Synchronization
import Vault

/// Puts together what /metrics answers: what was counted, and what there is at this moment.
struct Exporter: Sendable {
  let meter: Meter
  let house: House
  let libraries: LibraryMonitor
  let survey: Survey
  let fitness: Fitness
  let check: ReadinessCheck
  let disks: DiskSurvey
  /// Nil where they cannot be counted.
  let crashes: Int?
  let runner: Pulse
  let log: Log
  let release: GatewayPlace.Release
  let connections: @Sendable () -> Int

  func text() async -> String {
    var out = Exposition()
    addRequests(to: &out)
    addProviders(to: &out)
    let figures = await survey.figures()
    addWork(figures, to: &out)
    if let figures { addHoldings(figures, to: &out) }
    await addScans(to: &out)
    out.add(MetricTable.databaseUp, [Sample(figures == nil ? 0 : 1)])
    addDatabase(to: &out)
    await addStandby(to: &out)
    await addFoundations(figures, to: &out)
    addProgram(to: &out)
    return out.text
  }

  private func addRequests(to out: inout Exposition) {
    out.add(MetricTable.requestDuration, meter.served) {
      [$0.route, $0.method, String($0.status)]
    }
    out.add(
      MetricTable.requestsInFlight, [Sample(meter.inFlight.load(ordering: .relaxed))])
    out.add(MetricTable.connections, [Sample(connections())])
  }

  private func addProviders(to out: inout Exposition) {
    out.add(
      MetricTable.providerRequests,
      meter.asked.samples { [$0.provider, $0.operation, $0.outcome] })
    out.add(MetricTable.providerDuration, meter.answered) { [$0.provider, $0.operation] }
    var providers: [String: Bool] = [:]
    var up: [Sample] = []
    var enabled: [Sample] = []
    let disabled = libraries.disabled
    for settings in house.counter.libraries {
      let isUp = house.counter.standing(of: LibraryID(settings.id))?.isUp ?? true
      let provider = settings.provider.value
      providers[provider] = (providers[provider] ?? true) && isUp
      up.append(Sample([provider, settings.id], isUp ? 1 : 0))
      enabled.append(Sample([provider, settings.id], disabled.contains(settings.id) ? 0 : 1))
    }
    out.add(MetricTable.providerUp, providers.map { Sample([$0.key], $0.value ? 1 : 0) })
    out.add(MetricTable.libraryUp, up)
    out.add(MetricTable.libraryEnabled, enabled)
  }

  private func addWork(_ figures: Survey.Figures?, to out: inout Exposition) {
    if let figures { out.add(MetricTable.jobDepth, [Sample(figures.dueJobs)]) }
    out.add(MetricTable.jobRuns, meter.worked.samples { [$0.kind, $0.outcome] })
    let jobs = figures?.jobs ?? []
    out.add(
      MetricTable.jobSuccess,
      jobs.compactMap { job in
        job.succeededAt.map { Sample([job.kind.rawValue], Double($0) / 1000) }
      })
    out.add(MetricTable.jobsFailing, jobs.map { Sample([$0.kind.rawValue], $0.failing) })
    out.add(
      MetricTable.jobsFailingRepeatedly,
      jobs.map { Sample([$0.kind.rawValue], $0.failingRepeatedly) })
    out.add(MetricTable.jobSilence, [Sample([], runner.silence.inSeconds)])
  }

  private func addHoldings(_ figures: Survey.Figures, to out: inout Exposition) {
    let shelves = figures.shelves
    out.add(MetricTable.loans, [Sample(shelves.loans)])
    let words = Set(["waiting", "ready", "suspended", "expired"]).union(shelves.holds.keys)
    out.add(MetricTable.holds, words.map { Sample([$0], shelves.holds[$0] ?? 0) })
    out.add(MetricTable.holdsReady, [Sample(shelves.holds["ready"] ?? 0)])
    out.add(MetricTable.doubts, [Sample(shelves.doubts)])
    out.add(MetricTable.readers, [Sample(figures.heads.readers)])
    out.add(MetricTable.accounts, [Sample(figures.heads.accounts)])
    out.add(
      MetricTable.downloads,
      Ticket.State.allCases.map { Sample([$0.rawValue], figures.downloads[$0] ?? 0) })
  }

  private func addScans(to out: inout Exposition) async {
    out.add(MetricTable.scans, meter.scans.samples { [$0] })
    guard let sentry = house.sentry else { return out.add(MetricTable.scannerUp, []) }
    out.add(MetricTable.scannerUp, [Sample(await sentry.scanner.isThere ? 1 : 0)])
  }

  private func addDatabase(to out: inout Exposition) {
    let pools = house.store.pools
    out.add(
      MetricTable.databaseConnections,
      pools.flatMap { pool in
        [
          Sample([pool.name, "busy"], pool.busy),
          Sample([pool.name, "idle"], max(0, pool.open - pool.busy)),
        ]
      })
    out.add(MetricTable.databaseLimit, pools.map { Sample([$0.name], $0.limit) })
    out.add(MetricTable.databaseWaiting, pools.map { Sample([$0.name], $0.waiting) })
    out.add(
      MetricTable.slowStatements, [Sample(meter.slowStatements.load(ordering: .relaxed))])
  }

  private func addStandby(to out: inout Exposition) async {
    guard let standby = await house.store.standby() else { return }
    out.add(MetricTable.standbyUp, [Sample(standby.isUp ? 1 : 0)])
    if let lag = standby.lag { out.add(MetricTable.standbyLag, [Sample([], lag.inSeconds)]) }
  }

  /// What the gateway stands on, and whether it can serve.
  private func addFoundations(_ figures: Survey.Figures?, to out: inout Exposition) async {
    // First of all: the look at the vault is part of it.
    let faults = await fitness.faults()
    switch check.vault {
    case .open: out.add(MetricTable.vaultOpen, [Sample(1)])
    case .locked: out.add(MetricTable.vaultOpen, [Sample(0)])
    case .unused, nil: break
    }
    let disks = await disks.figures()
    out.add(MetricTable.diskFree, disks.map { Sample([$0.folder], Double($0.disk.availableBytes)) })
    out.add(MetricTable.diskSize, disks.map { Sample([$0.folder], Double($0.disk.totalBytes)) })
    let counting = disks.filter { $0.disk.totalInodes > 0 }
    out.add(
      MetricTable.inodesFree,
      counting.map { Sample([$0.folder], Double($0.disk.availableInodes)) })
    out.add(MetricTable.inodes, counting.map { Sample([$0.folder], Double($0.disk.totalInodes)) })
    if let rate = figures?.signIns {
      out.add(MetricTable.signInFailures, [Sample(rate.wrong)])
      out.add(MetricTable.signInFailuresLimit, [Sample(rate.limit)])
    }
    if let day = figures?.shortMessages {
      out.add(MetricTable.shortMessages, [Sample(day.sent)])
      out.add(MetricTable.shortMessagesLimit, [Sample(day.limit)])
    }
    if let last = figures?.lastBackup {
      out.add(MetricTable.lastBackup, [Sample([], Double(last) / 1000)])
    }
    out.add(
      MetricTable.certificateEnd,
      house.certificateEnds.map { Sample([$0.use, $0.library], Double($0.end)) })
    if let crashes { out.add(MetricTable.crashes, [Sample(crashes)]) }
    out.add(MetricTable.ready, [Sample(faults.isEmpty ? 1 : 0)])
    let kinds = Set(faults.map(\.kind))
    out.add(
      MetricTable.readinessFault,
      ReadinessFault.Kind.allCases.map { Sample([$0.rawValue], kinds.contains($0) ? 1 : 0) })
  }

  private func addProgram(to out: inout Exposition) {
    out.add(
      MetricTable.logLines, Level.allCases.map { Sample([$0.name], log.count(of: $0)) })
    // Where /proc is hidden the rest is told without them.
    if let figures = try? ProcessFigures.current() {
      out.add(MetricTable.cpu, [Sample([], figures.cpu.inSeconds)])
      out.add(MetricTable.memory, [Sample(figures.residentBytes)])
      out.add(MetricTable.files, [Sample(figures.openFiles)])
      out.add(MetricTable.filesLimit, [Sample(figures.fileLimit)])
      out.add(MetricTable.threads, [Sample(figures.threads)])
    }
    out.add(
      MetricTable.started, [Sample([], Double(meter.started.millisecondsSinceEpoch) / 1000)])
    out.add(
      MetricTable.build,
      [Sample([release.number, release.commit, house.store.dialect.rawValue], 1)])
  }
}

extension SessionStanding {
  /// Whether its service is asked at all.
  var isUp: Bool {
    if case .open = circuit { return false }
    return true
  }
}

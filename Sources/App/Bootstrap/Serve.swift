import Catalog
import Console
import Crypto
import Database
import Desk
import Downloads
import Facade
import FrontDesk
import HTTPServer
import Items
import Log
import Machine
import Schedule
import Secrets
import Setup
import Vault
import Web

/// Runs the gateway until its task is cancelled; then it finishes what it has begun, within
/// `server.shutdown_grace`, and returns.
func serve(
  _ configuration: Configuration, in place: GatewayPlace,
  ready: @escaping @Sendable (Listening) -> Void
) async throws(ServeError) {
  let supervision = Supervision(configuration, place)
  let logger = supervision.logger
  let watch = try GatewayWatch(configuration, log: supervision.log)
  // It answers from here on, if only that it is starting: tables may take their time.
  let server = Server(try watch.settings(in: place), watch.reception.handler)
  do throws(ServerError) { try server.start() } catch { throw ServeError(error) }
  let house: House
  let open: OpenHouse
  do throws(ServeError) {
    house = try await opened(configuration, in: place, logger: logger, meter: watch.meter)
    watch.libraries.look()
    open = try await watch.open(house, behind: server, place, supervision)
    // The first look, so that the log says at once what keeps it from being ready. The job runner starts
    // only now, however long the tables took.
    watch.runner.beat()
    _ = await open.fitness.faults()
  } catch {
    await server.stop(within: .zero)
    throw error
  }
  let addresses = server.addresses.map { shown($0, of: configuration) }
  logger.info("gateway ready", [.pair("addresses", addresses.joined(separator: " "))])
  supervision.tell(.ready, .status("serving on \(addresses.joined(separator: " "))"))
  if let address = addresses.first(where: { $0.hasPrefix("http") }) {
    open.crashes?.note(address: address)
  }
  ready(Listening(addresses: addresses))
  let tasks = [
    Task { await house.doDueWork(logger, watch) }, Task { await house.porter().work() },
    Task { await house.settleUnconfirmed(logger) },
    Task { await house.remindOfKey(logger) }, Task { await house.renewCatalog(logger) },
    Task { await house.followLanes(logger) },
    Task { await house.keepCompany(open.facade.watch, logger) },
    Task { await supervision.feedWatchdog() },
    Task { await supervision.reload(house, watch.libraries) },
    Task { await watch.libraries.run(house.time) },
    Task { await open.fitness.watch() }, Task { await house.watchPublicCertificate() },
  ]

  await untilCancelled()
  logger.info("gateway stopping")
  supervision.tell(.stopping)
  for task in tasks { task.cancel() }
  await server.stop(within: configuration.server.shutdownGrace)
  for task in tasks { await task.value }
  // To the last, so that whoever watches sees how it ends.
  await open.monitor?.stop(within: .zero)
  await house.close()
  open.crashes?.end()
  logger.info("gateway stopped")
}

private func opened(
  _ configuration: Configuration, in place: GatewayPlace, logger: Logger, meter: Meter
) async throws(ServeError) -> House {
  let seat = Seat(configuration: configuration, place: place, patron: nil, passphrase: { nil })
  do throws(HouseError) { return try await House(seat, logger: logger, meter: meter) } catch {
    switch error {
    case .database(let error):
      throw ServeError(.databaseUnavailable, "the database cannot be opened: \(error)")
    default: throw ServeError(.databaseUnavailable, "\(error)", cause: ErrorItem(error))
    }
  }
}

extension House {
  /// With another key than its database was locked with, a gateway would only pretend to serve. One that
  /// has no key, or none yet, starts and says that it is not ready.
  func refuseWrongKey() async throws(ServeError) {
    var wrong: VaultError?
    // Another gateway may be changing the key: then the next look finds table and key together.
    for _ in 0..<3 {
      guard case .locked(let error) = await door.check(), error.isOfWrongKey else { return }
      wrong = error
    }
    guard let wrong else { return }
    throw ServeError(.configInvalid, "the vault's key is wrong: \(wrong)", cause: ErrorItem(wrong))
  }
}

/// What answers once the house is open.
private struct OpenHouse {
  let facade: Facade
  let fitness: Fitness
  /// Nil where the data folder takes no note of it.
  let crashes: CrashCount?
  /// The listener for monitoring, where it has one of its own.
  let monitor: Server?
}

extension GatewayWatch {
  fileprivate func settings(in place: GatewayPlace) throws(ServeError) -> ServerSettings {
    var settings = try ServerSettings(
      configuration,
      inherited: SocketActivation.addresses(
        listenPID: place.environment["LISTEN_PID"], listenFDs: place.environment["LISTEN_FDS"],
        ownPID: place.processID))
    settings.readiness = readiness
    // Where fewer files may be open, connections must not take those of the database and the books.
    let files = ThisProcess.raiseFileLimit(to: configuration.server.wantedFiles)
    settings.limits.connections = min(
      settings.limits.connections,
      max(16, files - Configuration.Server.filesBesideConnections))
    let (meter, logger) = (meter, Logger(to: log))
    settings.observe = { record in
      meter.note(record)
      AccessLog.write(record, to: logger)
    }
    return settings
  }

  /// Lets requests through to the house.
  fileprivate func open(
    _ house: House, behind server: Server, _ place: GatewayPlace, _ supervision: Supervision
  ) async throws(ServeError) -> OpenHouse {
    do throws(ServeError) {
      try await house.refuseWrongKey()
      let (facade, key): (Facade, Secret)
      do throws(DatabaseError) {
        facade = try await house.facade()
        key = try await GatewayKey.key(in: house.store)
      } catch {
        throw ServeError(.databaseUnavailable, "the database cannot be read: \(error)")
      }
      let check = ReadinessCheck(house)
      let names = LogNames()
      await names.learn(from: house.door)
      let fitness = Fitness(readiness, runner: runner, logger: supervision.logger) {
        await names.learn(from: house.door)
        return await check.faults()
      }
      let crashes = house.countCrashes(supervision.logger)
      let export = MetricsRoute(
        exporter: Exporter(
          meter: meter, house: house, libraries: libraries, survey: Survey(house),
          fitness: fitness, check: check, disks: DiskSurvey(house), crashes: crashes?.total,
          runner: runner, log: log, release: place.release,
          connections: { server.connections }),
        token: token)
      let gateway = Gateway(
        configuration, facade: facade, lending: house.lending,
        lobby: house.lobby(beside: facade),
        calendar: CalendarRoute { await house.calendar($0, $1) },
        vendor: house.vendorRoutes(supervision.logger),
        metrics: isBesidePages ? export : nil, settings: try settings(in: place),
        fitness: fitness, identity: GatewayIdentity(key), hash: { names.name(of: $0) })
      let monitor: Server?
      do throws(ServeError) { monitor = try listen(export, fitness) } catch {
        crashes?.end()
        throw error
      }
      server.openAnswers.follow(house.registry)
      reception.open(meter.counting(gateway.handler))
      return OpenHouse(facade: facade, fitness: fitness, crashes: crashes, monitor: monitor)
    } catch {
      await house.close()
      throw error
    }
  }
}

extension House {
  /// What an older program stored is indexed and matched by the rules of this one while the gateway
  /// runs. Where it fails, the next harvest or the next start goes on. Before that the shelves are
  /// read: among a million books the first reader would wait for it.
  fileprivate func renewCatalog(_ logger: Logger) async {
    do throws(DatabaseError) { try await catalog.readShelves() } catch {
      guard !Task.isCancelled else { return }
      logger.warn("the shelves are not read yet: whoever opens a lane first waits for it")
    }
    do throws(DatabaseError) { try await catalog.catchUp() } catch {
      guard !Task.isCancelled else { return }
      logger.warn("some editions are not indexed or matched yet: the next harvest goes on")
    }
  }

  fileprivate func doDueWork(_ logger: Logger, _ watch: GatewayWatch) async {
    while !Task.isCancelled {
      watch.runner.beat()
      do {
        try await planDueWork()
        break
      } catch {
        guard !Task.isCancelled else { return }
        logger.warn("the schedule cannot be written: it is tried again")
      }
      do throws(CancellationError) { try await time.sleep(for: .seconds(30)) } catch { return }
    }
    await worker(logger, tell: { watch.meter.note($0) }, alive: { watch.runner.beat() }).run()
  }

  /// What cannot be counted keeps no gateway from serving.
  fileprivate func countCrashes(_ logger: Logger) -> CrashCount? {
    do throws(FileError) {
      let crashes = try CrashCount(in: configuration.paths.data ?? seat.place.data)
      if crashes.found > 0 {
        logger.warn(
          "a gateway ended without a clean stop",
          [.pair("found", crashes.found), .pair("total", crashes.total)])
      }
      return crashes
    } catch {
      logger.warn("crashes cannot be counted", [.pair("why", "\(error)")])
      return nil
    }
  }

  fileprivate func remindOfKey(_ logger: Logger) async {
    while await !door.isDueForNewKey(at: time.now().millisecondsSinceEpoch) {
      do throws(CancellationError) { try await time.sleep(for: .seconds(60)) } catch { return }
    }
    logger.warn("the vault's key is due for a new one: carrel vault rotate")
  }
}

private func untilCancelled() async {
  let (never, held) = AsyncStream.makeStream(of: Never.self)
  // Ends when the task is cancelled, and not before: nobody ever writes to it.
  for await _ in never {}
  held.finish()
}

private func shown(_ address: ListenAddress, of configuration: Configuration) -> String {
  switch address {
  case .ip: configuration.server.publicURL ?? "http://\(address)"
  case .unix, .inherited: configuration.server.publicURL ?? "\(address)"
  }
}

extension ServeError {
  init(_ error: ServerError) {
    switch error {
    case .addressInUse: self.init(.addressInUse, "\(error)")
    default: self.init(.addressRefused, "\(error)")
    }
  }
}

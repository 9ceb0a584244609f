import Catalog
import Console
import Database
import Desk
import Downloads
import Facade
import HTTPServer
import Items
import Log
import Machine
import Schedule
import Setup
import Vault
import Web

/// Runs the gateway until its task is cancelled; then it finishes what it has begun, within
/// `server.shutdown_grace`, and returns.
func serve(
  _ configuration: Configuration, in place: GatewayPlace,
  ready: @escaping @Sendable (Listening) -> Void
) async throws(ServeError) {
  let logger = Logger(to: Log(configuration.log))
  let house = try await opened(configuration, in: place, logger: logger)
  let facade: Facade
  do throws(DatabaseError) { facade = try await house.facade() } catch {
    await house.close()
    throw ServeError(.databaseUnavailable, "the database cannot be read: \(error)")
  }
  let gateway = try Gateway(
    configuration, facade: facade, lending: house.lending,
    lobby: house.lobby(beside: facade), calendar: CalendarRoute { await house.calendar($0, $1) },
    vendor: house.vendorRoutes(logger),
    inherited: SocketActivation.addresses(
      listenPID: place.environment["LISTEN_PID"], listenFDs: place.environment["LISTEN_FDS"],
      ownPID: place.processID),
    logger: logger, database: { await trouble(with: house.store) })
  let server = Server(gateway.settings, gateway.handler)
  do throws(ServerError) { try server.start() } catch {
    await house.close()
    throw ServeError(error)
  }
  let addresses = server.addresses.map { shown($0, of: configuration) }
  logger.info("gateway ready", [.pair("addresses", addresses.joined(separator: " "))])
  ready(Listening(addresses: addresses))
  let working = Task { await house.doDueWork(logger) }
  let fetching = Task { await house.porter().work() }
  let reminding = Task { await house.remindOfKey(logger) }
  let renewing = Task { await house.renewCatalog(logger) }
  let following = Task { await house.followLanes(logger) }
  let company = Task { await house.keepCompany(facade.watch, logger) }

  await untilCancelled()
  logger.info("gateway stopping")
  working.cancel()
  fetching.cancel()
  reminding.cancel()
  renewing.cancel()
  following.cancel()
  company.cancel()
  await server.stop(within: configuration.server.shutdownGrace)
  await working.value
  await fetching.value
  await reminding.value
  await renewing.value
  await following.value
  await company.value
  await house.close()
  logger.info("gateway stopped")
}

private func opened(
  _ configuration: Configuration, in place: GatewayPlace, logger: Logger
) async throws(ServeError) -> House {
  let seat = Seat(configuration: configuration, place: place, patron: nil, passphrase: { nil })
  do throws(HouseError) { return try await House(seat, logger: logger) } catch {
    switch error {
    case .database(let error):
      throw ServeError(.databaseUnavailable, "the database cannot be opened: \(error)")
    default: throw ServeError(.databaseUnavailable, "\(error)", cause: ErrorItem(error))
    }
  }
}

extension House {
  /// What an older program stored is indexed and matched by the rules of this one while the gateway
  /// runs. Where it fails, the next harvest or the next start goes on.
  fileprivate func renewCatalog(_ logger: Logger) async {
    do throws(DatabaseError) { try await catalog.catchUp() } catch {
      guard !Task.isCancelled else { return }
      logger.warn("some editions are not indexed or matched yet: the next harvest goes on")
    }
  }

  /// Commands that a crash left open are settled first of all, whenever they are due next.
  fileprivate func doDueWork(_ logger: Logger) async {
    while !Task.isCancelled {
      do {
        try await planDueWork()
        try await schedule.hasten(.settling, of: wholeHouse)
        break
      } catch {
        guard !Task.isCancelled else { return }
        logger.warn("the schedule cannot be written: it is tried again")
      }
      do throws(CancellationError) { try await time.sleep(for: .seconds(30)) } catch { return }
    }
    await worker(logger).run()
  }

  fileprivate func remindOfKey(_ logger: Logger) async {
    while await !door.isDueForNewKey(at: time.now().millisecondsSinceEpoch) {
      do throws(CancellationError) { try await time.sleep(for: .seconds(60)) } catch { return }
    }
    logger.warn("the vault's key is due for a new one: carrel vault rotate")
  }
}

/// What keeps the database from being written to, in a word for machines.
private func trouble(with store: Store) async -> String? {
  struct Probe: Error {}
  let deadline = ContinuousClock.now + .seconds(2)
  do throws(DatabaseError) {
    // A write transaction that is rolled back: it fails where a disk is full or read-only.
    _ = try await store.decide(by: deadline) { _ throws(DatabaseError) in
      Result<Void, Probe>.failure(Probe())
    }
    return nil
  } catch {
    return "the database cannot be written to"
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

extension Log {
  convenience init(_ settings: Configuration.Log) {
    self.init(
      level: Level(named: settings.level.rawValue) ?? .info,
      format: LineFormat(rawValue: settings.format.rawValue) ?? .logfmt,
      time: { Time.system.now().rfc3339(.milliseconds) },
      // A log that cannot be written must not stop the gateway.
      sink: { line in try? OutputStream.error.write(line) })
  }
}

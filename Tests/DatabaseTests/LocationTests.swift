import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `A location names one database and keeps its password` {
  struct Address: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let shown: String

    init(_ address: String, _ shown: String) { (testDescription, self.shown) = (address, shown) }
  }

  static let accepted = [
    Address("/var/lib/carrel/carrel.sqlite3", "/var/lib/carrel/carrel.sqlite3"),
    Address("sqlite:///var/lib/a%20b.db", "/var/lib/a b.db"),
    Address("SQLITE:///x.db", "/x.db"),
    Address("sqlite:/x.db", "/x.db"),
    Address("/odd:name/mysql:x", "/odd:name/mysql:x"),
    Address("postgres://u:hunter2@h:5433/d", "postgresql://u@h:5433/d"),
    Address("postgresql://u:hunter2%40%2F@h/d?sslmode=require", "postgresql://u@h/d"),
    Address(
      "postgresql:///d?host=/run/postgresql&password=hunter2", "postgresql:///run/postgresql/d"),
    Address("postgresql://%2Frun%2Fpostgresql/d", "postgresql:///run/postgresql/d"),
    Address("postgresql://[::1]:5432/d", "postgresql://::1:5432/d"),
  ]

  @Test(arguments: accepted)
  func `a database address is understood and shown without its password`(address: Address) throws {
    let location = try Location(address.testDescription)
    #expect("\(location)" == address.shown)
    var dumped = ""
    dump(location, to: &dumped)
    #expect(!(dumped + String(reflecting: location)).contains("hunter2"))
    if case .postgres(let server) = location {
      var dumped = ""
      dump(server, to: &dumped)
      #expect(!(dumped + String(reflecting: server) + "\(server)").contains("hunter2"))
    }
  }

  static let refused = [
    "", "/", "/folder/", ":memory:", "/a/:memory:", "sqlite://host/x.db", "sqlite:///x.db?mode=ro",
    "sqlite:", "sqlite:///", "sqlite:///%zz", "sqlite:///%00", "sqlite:///%",
    "mysql://u:hunter2@h/d",
    "file:///x.db", "file:x.db?mode=memory", "http://hunter2", "/x\0y", "sqlite:///%FF",
    "postgresql://u:hunter2@2@h/d", "postgresql://u:hunter2/3@h/d", "postgresql://u:hunter2?3@h/d",
    "postgresql://u:hunter2%@h/d", "postgresql://u:hunter2%00@h/d", "postgresql://u@h/d?hunter2=1",
    "postgresql://u@h/d?password=hunter2%", "postgresql://[::1/d", "postgresql://u:hunter2#@h/d",
  ]

  @Test(arguments: refused)
  func `a bad database address is refused without being quoted`(text: String) {
    let error = #expect(throws: DatabaseError.self) { _ = try Location(text) }
    guard case .badLocation = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!"\(String(describing: error))".contains("hunter2"))
  }

  @Test
  func `a relative path in a database address is made absolute at once`() throws {
    guard case .sqlite(let path) = try Location("sqlite:some.db") else {
      Issue.record("not a file")
      return
    }
    #expect(path.hasPrefix("/") && path.hasSuffix("/some.db"))
  }

  @Test
  func `the error for an unreachable database server does not show the password`() async throws {
    try await withTemporaryFolder { folder in
      let location = try Location("postgresql://u:hunter2@/d?host=\(folder.path)")
      let error = await failure { try await Store.open(location, by: .now + .seconds(20)) }
      #expect(error?.reason == .unreachable)
      #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }
  }

  @Test
  func `opening a store at a silent database server ends at the deadline`() async throws {
    // An address for documentation: packets to it are dropped or refused, and never answered.
    let location = try Location("postgresql://u@192.0.2.1/d")
    let error = await failure { try await Store.open(location, by: .now + .milliseconds(300)) }
    #expect([.deadlineExceeded, .unreachable].contains(error?.reason))
  }

  @Test
  func `a database password file that others can read is refused`() async throws {
    try await withLocation(.postgres) { location in
      try await withTemporaryFolder { folder in
        var settings = StoreSettings.forTests
        settings.passwordFile = try folder.write(Array("hunter2\n".utf8), to: "open", mode: 0o644)
        let found = await reason { try await Store.open(location, settings) }
        #expect(found == .denied)
        settings.passwordFile = try folder.write(Array("hunter2\n".utf8), to: "closed", mode: 0o600)
        try await withStore(at: location, settings) { store in try await store.expectAnswers() }
      }
    }
  }
}

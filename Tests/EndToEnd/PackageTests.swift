import Foundation
import JourneySupport
import TestSupport
import Testing

/// The Debian package and its units. The package here holds the programs that were built with the
/// tests, since a release build takes minutes; everything else in it is what `make deb` puts there.
@Suite(.timeLimit(.minutes(5))) struct `The Debian package` {
  private static let root = DocPage.root

  @Test(.enabled(if: EmptyMachine.isPossible, EmptyMachine.needs))
  func `the Debian package needs nothing else on an empty machine, up to a restored backup`()
    async throws
  {
    let folder = try TemporaryFolder()
    let package = try await EmptyMachine.package()
    let lines = try String(contentsOfFile: EmptyMachine.script("use-package"), encoding: .utf8)
    let typed = try await EmptyMachine.type(lines, with: package, in: folder)
    #expect(typed.end == .exited(0), "\(typed.outputText)\(typed.errorText)")
    let seen = typed.outputText
    for line in [
      "installed: install ok installed", "https: The town", "doctor: 1",
      "doctor without certificates: 1", "mockville: borrowed read returned",
      "quayside: borrowed returned", "harbor: borrowed returned",
      "lantern-bay: borrowed read returned", "gutenberg: borrowed read returned",
      "hathitrust: borrowed returned", "bridgeport: held canceled", "restored: 7 cards",
    ] {
      #expect(seen.contains(line), "\(seen)")
    }
    #expect(seen.contains(/report: .*carrel-gateway crashed: SIGSEGV/), "\(seen)")
    #expect(seen.contains(/functions: [1-9]/), "\(seen)")
  }

  @Test func `The Debian package is without an error for Debian's own judge`() async throws {
    let package = try await EmptyMachine.package()
    let judged = try await run(
      "lintian", ["--allow-root", "--fail-on", "error", package], within: .seconds(180))
    #expect(judged.end == .exited(0), "\(judged.outputText)\(judged.errorText)")
  }

  @Test(.enabled(if: EmptyMachine.isPossible, EmptyMachine.needs))
  func `The Debian package installs, serves, survives an upgrade, and goes without the data`()
    async throws
  {
    let folder = try TemporaryFolder()
    let first = try await EmptyMachine.package()
    let second = try await EmptyMachine.package("0.1.1")
    try await EmptyMachine.prepare(for: first)
    try FileManager.default.createDirectory(
      atPath: folder.path("machine"), withIntermediateDirectories: false)
    let tried = try await run(
      "unshare",
      [
        "-m", EmptyMachine.script("try-package"), EmptyMachine.root, first, second,
        folder.path("machine"),
      ], within: .seconds(180))
    #expect(tried.end == .exited(0), "\(tried.outputText)\(tried.errorText)")
    let lines = tried.outputText.split(separator: "\n").map {
      $0.split(separator: ": ", maxSplits: 1)
    }
    let seen = Dictionary(
      lines.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) },
      uniquingKeysWith: { $1 })
    let wanted = [
      "installed": "install ok installed 0.1.0",
      "account": "Carrel library gateway:/var/lib/carrel:/usr/sbin/nologin",
      "data": "700 carrel:carrel", "backups": "700 carrel:carrel",
      "settings": "640 root:carrel", "units": "4", "verified": "0",
      "serves": "listening on http://127.0.0.1", "stopped": "0",
      "database": "600 carrel:carrel",
      "upgraded": "install ok installed 0.1.1", "kept": "# by the operator",
      "database-kept": "600 carrel:carrel",
      "removed": "deinstall ok config-files", "program-gone": "none",
      "data-after-remove": "600 carrel:carrel", "settings-after-remove": "640 root:carrel",
      "purged": "none", "data-after-purge": "600 carrel:carrel", "settings-after-purge": "none",
      "cache-after-purge": "none", "data-after-yes": "none", "account-after-yes": "none",
    ]
    for (name, value) in wanted { #expect(seen[name] == value, "\(name)") }
    #expect(Int(seen["manual"] ?? "") ?? 0 > 20)
    #expect(seen["checked"]?.contains("/etc/carrel/carrel.yaml") == true)
  }

  @Test(arguments: ["carrel.service", "carrel-backup.service"])
  func `The Debian package has units that are closed as far as they can be`(_ unit: String)
    async throws
  {
    let path = Self.root.appending(path: "config/systemd/\(unit)").path()
    let judged = try await run(
      "systemd-analyze", ["security", "--offline=true", "--threshold=20", path])
    #expect(judged.end == .exited(0), "\(judged.outputText)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in Self.hardening { #expect(text.contains("\n\(line)"), "\(line)") }
  }

  @Test
  func `the service of the Debian package restarts after a crash and leaves no core dump`() throws {
    let path = Self.root.appending(path: "config/systemd/carrel.service").path()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    for line in ["Restart=on-failure", "RestartSec=2", "StartLimitIntervalSec=0", "LimitCORE=0"] {
      #expect(lines.contains { $0 == line }, "\(line)")
    }
  }

  @Test func `The Debian package keeps the newest backups, and none that is not whole`()
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write(
      Array(
        """
        #!/bin/sh
        case "$*" in
          *'admin backup '*) echo whole >"$6" ;;
          *'admin verify '*) [ ! -e "$BROKEN" ] ;;
        esac

        """.utf8), to: "carrel")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path("carrel"))
    for day in 1...4 {
      try folder.write([], to: "carrel-2026010\(day)T000000Z.backup")
    }
    try folder.write([], to: "other.txt")
    let script = Self.root.appending(path: "config/systemd/carrel-backup").path()
    let variables = [
      "CARREL_PROGRAM": folder.path("carrel"), "CARREL_KEEP_BACKUPS": "2",
      "CARREL_BACKUP_PASSPHRASE": folder.path("none"),
      "BROKEN": folder.path("broken"),
    ]
    let backups = {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".backup") }.sorted()
    }
    try folder.write([], to: "broken")
    let broken = try await run(script, [folder.path], environment: variables)
    #expect(broken.end != .exited(0))
    #expect(try backups().count == 5, "nothing goes before the new one is known to be whole")
    try FileManager.default.removeItem(atPath: folder.path("broken"))
    let made = try await run(script, [folder.path], environment: variables)
    #expect(made.end == .exited(0), "\(made.errorText)")
    #expect(try backups().count == 2)
    #expect(FileManager.default.fileExists(atPath: folder.path("other.txt")))
  }

  private static let hardening = [
    "NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes",
    "PrivateDevices=yes", "ProtectKernelTunables=yes", "ProtectKernelModules=yes",
    "ProtectKernelLogs=yes", "ProtectControlGroups=yes", "ProtectClock=yes",
    "ProtectHostname=yes", "ProtectProc=invisible", "RestrictNamespaces=yes",
    "RestrictRealtime=yes", "RestrictSUIDSGID=yes", "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes", "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service", "CapabilityBoundingSet=\n",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6", "UMask=0077",
  ]
}

import Foundation
import HTTPClient
package import TestSupport

/// The proxy that people put before a gateway: nginx with the settings that Carrel ships as an example,
/// TLS, and a certificate of its own that only this stage believes.
package final class Front: Sendable {
  package let site: String
  private let folder: TemporaryFolder
  private let process: RunningProcess

  /// The certificate, to be believed.
  package var certificate: String { folder.path("site.pem") }

  /// On this port, for the gateways on those. Nil where somebody else took the port meanwhile.
  package init?(port: Int, before gateways: [Int]) async throws {
    folder = try TemporaryFolder()
    site = Self.site(at: port)
    try await Self.makeCertificate(in: folder)
    try folder.write(
      Array(try Self.settings(folder, port: port, before: gateways).utf8), to: "nginx.conf")
    process = try RunningProcess(
      "/usr/sbin/nginx",
      ["-p", folder.path, "-c", folder.path("nginx.conf"), "-e", folder.path("error.log")])
    guard try await isListening() else { return nil }
  }

  /// For this machine's own address, as `site.pem` and `site.key`.
  package static func makeCertificate(in folder: TemporaryFolder) async throws {
    let made = try await run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
        "-keyout", folder.path("site.key"), "-out", folder.path("site.pem"), "-subj",
        "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
      ])
    guard made.end == .exited(0) else { throw TestSupportError(made.errorText) }
  }

  package static func site(at port: Int) -> String { "https://127.0.0.1:\(port)/lib" }

  package func end() async throws {
    process.send(SIGKILL)
    _ = try await process.waitForEnd()
  }

  /// The shipped example, with what is this machine's put into it.
  private static func settings(
    _ folder: TemporaryFolder, port: Int, before gateways: [Int]
  ) throws -> String {
    let upstreams = gateways.map { "server 127.0.0.1:\($0) max_fails=0;" }
    let example = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "config/nginx.conf")
    var server = try String(contentsOf: example, encoding: .utf8)
    for (shipped, here) in [
      ("listen 443 ssl;", "listen 127.0.0.1:\(port) ssl;"),
      ("server 127.0.0.1:8080 max_fails=0;", upstreams.joined(separator: "\n  ")),
      ("server_name books.example.org;", "server_name 127.0.0.1;"),
      ("/etc/ssl/certs/books.example.org.pem", folder.path("site.pem")),
      ("/etc/ssl/private/books.example.org.key", folder.path("site.key")),
    ] {
      guard server.contains(shipped) else {
        throw TestSupportError("the example for nginx does not say '\(shipped)'")
      }
      server = server.replacingOccurrences(of: shipped, with: here)
    }
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "  \($0)_temp_path \(folder.path);"
    }
    return """
      daemon off;
      master_process off;
      pid \(folder.path("nginx.pid"));
      events {}
      http {
        access_log off;
      \(folders.joined(separator: "\n"))
      \(server)
      }

      """
  }

  /// The sockets listen from the moment that the process id is written.
  private func isListening() async throws -> Bool {
    let pid = folder.path("nginx.pid")
    let limit = ContinuousClock.now + .seconds(20)
    while !FileManager.default.fileExists(atPath: pid) {
      guard kill(process.pid, 0) == 0, ContinuousClock.now < limit else { return false }
      await Task.yield()
      guard !process.errorText().contains("[emerg]") else { return false }
    }
    return true
  }
}

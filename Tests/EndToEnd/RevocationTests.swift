import Crypto
import Foundation
import JourneySupport
import MockKit
import TestSupport
import Testing

/// Certificates that a root took back are fetched from where the settings say, and believed when that
/// root signed the list.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `The list of revoked certificates` {
  /// Says what it is given, as a web page.
  private func server(_ body: String) throws -> RawServer {
    try RawServer { line in
      _ = line.request()
      line.write(
        "HTTP/1.1 200 OK\r\nContent-Type: application/pkix-crl\r\nConnection: close\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
  }

  private func list(_ press: LicensePress) throws -> String {
    let der = try press.authority.revocationList(
      of: [7], by: press.root, at: Int64(Date().timeIntervalSince1970))
    return "-----BEGIN X509 CRL-----\n\(Data(der).base64EncodedString())\n-----END X509 CRL-----\n"
  }

  private func settle(_ stage: Stage, _ press: LicensePress, at address: String) throws -> String {
    let (roots, file) = (stage.key("roots.pem"), stage.key("revoked.crl"))
    try Data(press.root.pem.utf8).write(to: URL(filePath: roots))
    try stage.writeSettings()
    try stage.addSettings(
      """
      http:
        allow_hosts: [127.0.0.1]
      lcp:
        roots_file: \(roots)
        revoked_file: \(file)
        revoked_url: \(address)

      """)
    return file
  }

  @Test func `The list of revoked certificates is not taken from anybody but a root`() async throws
  {
    try await Stage.play { stage in
      let press = try LicensePress()
      for body in [try list(try LicensePress()), "<html>sign in</html>"] {
        let web = try server(body)
        defer { web.stop() }
        let file = try settle(stage, press, at: web.url("/lcp.crl"))
        try await stage.carrel("sync", "--due")
        #expect(!FileManager.default.fileExists(atPath: file))
      }
    }
  }
}

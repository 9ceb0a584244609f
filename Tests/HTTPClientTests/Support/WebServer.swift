import Foundation
import TestSupport

/// A private nginx with TLS and HTTP/2, for what no hand-written server should imitate. Its
/// certificates are made anew for each instance, in its own folder.
final class WebServer {
  enum Certificate: String, CaseIterable {
    case good, expired, notYetValid, wrongHost, selfSigned, strangersAuthority
  }

  struct NotReady: Error {}

  let folder: TemporaryFolder
  private(set) var ports: [Certificate: Int] = [:]
  private let process = Process()

  /// The file of the authority that signed the good certificate.
  var authority: String { folder.file("authority.pem") }

  init() throws {
    folder = try TemporaryFolder()
    _ = try CertificateStore(in: folder)
    // A port can be taken by somebody else between finding and using it.
    for _ in 0..<5 where !process.isRunning {
      for certificate in Certificate.allCases { ports[certificate] = try freePort() }
      try configuration.write(
        toFile: folder.file("nginx.conf"), atomically: true, encoding: .utf8)
      if try start() { return }
    }
    throw NotReady()
  }

  func stop() {
    guard process.isRunning else { return }
    // The runtime's threads block SIGTERM, and their children inherit that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func url(_ certificate: Certificate, _ path: String = "/", host: String = "127.0.0.1") -> String {
    "https://\(host):\(ports[certificate] ?? 0)\(path)"
  }

  private func start() throws -> Bool {
    process.executableURL = URL(fileURLWithPath: "/usr/sbin/nginx")
    process.arguments = [
      "-p", folder.path, "-c", folder.file("nginx.conf"), "-e", folder.file("error.log"),
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The sockets listen from the moment that the process id is written.
    let pid = folder.file("nginx.pid")
    while process.isRunning, !FileManager.default.fileExists(atPath: pid) { sched_yield() }
    return process.isRunning
  }

  private var configuration: String {
    let servers = Certificate.allCases.map { certificate in
      """
      server {
        listen 127.0.0.1:\(ports[certificate] ?? 0) ssl http2;
        ssl_certificate \(certificate.rawValue).pem;
        ssl_certificate_key \(certificate.rawValue).key;
        location /down { return 302 "http://127.0.0.1:$arg_port/"; }
        location /put { dav_methods PUT; create_full_put_path on; root \(folder.path); }
        location /file { root \(folder.path); }
        location / { return 200 "$server_protocol $http_x_probe"; }
      }
      """
    }
    return """
      daemon off;
      master_process off;
      pid nginx.pid;
      events {}
      http {
        access_log off;
        client_body_temp_path \(folder.path);
        proxy_temp_path \(folder.path);
        fastcgi_temp_path \(folder.path);
        uwsgi_temp_path \(folder.path);
        scgi_temp_path \(folder.path);
        \(servers.joined(separator: "\n"))
      }
      """
  }

  private func freePort() throws -> Int {
    let server = try RawServer { _ in }
    defer { server.stop() }
    return server.port
  }
}

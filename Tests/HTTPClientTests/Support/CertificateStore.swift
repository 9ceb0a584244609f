import Foundation

/// Certificates for tests, good ones and bad ones, made anew by the `openssl` tool.
struct CertificateStore {
  private let folder: TemporaryFolder

  init(in folder: TemporaryFolder) throws {
    self.folder = folder
    try makeCertificates()
  }

  func file(_ name: String) -> String { folder.file(name) }

  /// The authority that signed the good certificate.
  var authority: String { file("authority.pem") }

  private func makeCertificates() throws {
    try makeAuthority("authority")
    try makeAuthority("stranger")
    try makeLeaf(.good, by: "authority", names: "IP:127.0.0.1,DNS:books.example")
    try makeLeaf(.wrongHost, by: "authority", names: "DNS:other.example")
    try makeLeaf(.strangersAuthority, by: "stranger", names: "IP:127.0.0.1")
    try makeLeaf(.expired, by: "authority", names: "IP:127.0.0.1", from: "20200101", to: "20210101")
    try makeLeaf(
      .notYetValid, by: "authority", names: "IP:127.0.0.1", from: "20900101", to: "20910101")
    try run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", folder.file("selfSigned.key"), "-out", folder.file("selfSigned.pem"), "-subj",
      "/CN=self", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2")
  }

  private func makeAuthority(_ name: String) throws {
    try run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-keyout", folder.file("\(name).key"), "-out", folder.file("\(name).pem"), "-subj",
      "/CN=\(name)", "-days", "2")
    try run("mkdir", "-p", folder.file("\(name).db"))
    try run("touch", folder.file("\(name).db/index"))
    let settings = """
      [ca]
      default_ca = own
      [own]
      database = \(folder.file("\(name).db/index"))
      new_certs_dir = \(folder.file("\(name).db"))
      certificate = \(folder.file("\(name).pem"))
      private_key = \(folder.file("\(name).key"))
      default_md = sha256
      policy = any
      rand_serial = yes
      unique_subject = no
      copy_extensions = copy
      [any]
      commonName = supplied
      """
    try settings.write(toFile: folder.file("\(name).cnf"), atomically: true, encoding: .utf8)
  }

  /// `openssl ca` is the one command that signs for a given span of the past.
  private func makeLeaf(
    _ certificate: WebServer.Certificate, by authority: String, names: String,
    from: String = "20200101",
    to: String = "20900101"
  ) throws {
    let name = certificate.rawValue
    try run(
      "openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
      folder.file("\(name).key"), "-out", folder.file("\(name).csr"), "-subj", "/CN=\(name)",
      "-addext", "subjectAltName=\(names)")
    try run(
      "openssl", "ca", "-batch", "-notext", "-config", folder.file("\(authority).cnf"), "-in",
      folder.file("\(name).csr"), "-out", folder.file("\(name).pem"), "-startdate",
      "\(from)000000Z", "-enddate", "\(to)000000Z")
  }
}

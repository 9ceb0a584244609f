import HTTP
import HTTPClient
import Setup

extension ClientConfiguration {
  /// What the settings and the environment say about the way out.
  init(_ configuration: Configuration, _ environment: [String: String]) {
    self.init()
    let contact = configuration.http.contact.map { " (+\($0))" } ?? ""
    userAgent = "Carrel/0.1\(contact)"
    connectTimeout = configuration.http.connectTimeout
    timeout = configuration.http.deadline
    // What the operator wrote down may be reached, wherever it is: hosts that are allowed, and the
    // very addresses of the libraries.
    let texts =
      configuration.libraries.flatMap { $0.endpoints.values }.map(\.value)
      + configuration.endpoints.sets.values.flatMap { $0.values }.flatMap { $0.values }
    let own = texts.compactMap { try? Address($0) }
    gate = AddressGate(
      allowing: configuration.http.allowHosts.compactMap(AddressGate.Allowance.init)
        + own.compactMap { address in
          address.effectivePort.map { .hostAndPort(address.host.text, $0) }
        })
    // The setting adds to the system's authorities, and the variable stands for all of them.
    if let file = configuration.http.caFile {
      trust = .systemAnd(file)
    } else if let file = environment["SSL_CERT_FILE"], !file.isEmpty {
      trust = .file(file)
    }
    proxies = Self.proxies(configuration.http.proxy, environment)
  }

  private static func proxies(_ setting: String?, _ environment: [String: String]) -> Proxies {
    func variable(_ name: String) -> String? {
      // curl and others read the lower-case spelling first, since CGI made the other one unsafe.
      (environment[name.lowercased()] ?? environment[name]).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let setting {
      let proxy = Proxies.Proxy(setting)
      return Proxies(http: proxy, https: proxy)
    }
    let exceptions = Proxies.Exception.list(variable("NO_PROXY") ?? "")
    return Proxies(
      http: variable("HTTP_PROXY").flatMap { Proxies.Proxy($0) },
      https: variable("HTTPS_PROXY").flatMap { Proxies.Proxy($0) }, exceptions: exceptions)
  }
}

import Arguments

/// Where settings may come from, the strongest first: flag, environment, file, system file, default.
package struct ConfigurationSources: Sendable {
  /// A flag that stands for a setting: `--port` for `server.port`.
  package struct FlagValue: Sendable, Hashable {
    let flag: String
    let key: String
    let text: String

    package init(_ flag: String, sets key: String, to text: String) {
      (self.flag, self.key, self.text) = (flag, key, text)
    }
  }

  package var flags: [FlagValue]
  package var environment: [String: String]
  /// The user's file first, the system's after it.
  package var files: [SettingsFile]
  package var endpoints = EndpointsFile()
  /// What was wrong with a file before its settings could be read.
  package var faults: [ConfigurationFault] = []
  /// Only the large program knows the providers and what each needs; nil where libraries are not
  /// checked.
  package var libraryCheck: LibraryCheck?

  package typealias LibraryCheck =
    @Sendable ([LibrarySettings], EndpointsFile) -> [ConfigurationFault]

  package init(
    flags: [FlagValue] = [], environment: [String: String] = [:], files: [SettingsFile] = []
  ) {
    (self.flags, self.environment, self.files) = (flags, environment, files)
  }
}

extension ConfigurationSources {
  /// A setting as it would count, for what must be known before all settings are.
  package func text(of key: String) -> String? {
    guard let spec = Settings.all.first(where: { $0.key == key }) else { return nil }
    var faults: [ConfigurationFault] = []
    return Configuration.resolve(spec, self, &faults).texts.last
  }
}

extension Configuration {
  /// Variables that are read before there is a configuration.
  package static let reservedVariables = ["CARREL_HOME", "CARREL_CONFIG", "CARREL_PROFILE"]

  package init(from sources: ConfigurationSources) throws(ConfigurationError) {
    var faults = sources.faults
    for file in sources.files { faults += file.faults }
    let resolved = Settings.all.map { spec in
      Self.resolve(spec, sources, &faults)
    }
    let values = Dictionary(uniqueKeysWithValues: resolved.map { ($0.spec.key, $0.texts) })
    let wantsMail = !(values[Settings.Mail.server.spec.key] ?? []).isEmpty
    if wantsMail, (values[Settings.Mail.from.spec.key] ?? []).isEmpty {
      faults.append(
        ConfigurationFault(.whole, key: "mail.from", "mail.server also needs mail.from"))
    }
    var libraries: [LibrarySettings] = []
    for library in sources.files.flatMap(\.libraries)
    where !libraries.contains(where: { $0.id == library.id }) { libraries.append(library) }
    // A value of the wrong type is reported already, and is not also missing.
    let known = Set(faults.compactMap(\.key))
    faults += (sources.libraryCheck?(libraries, sources.endpoints) ?? []).filter { fault in
      fault.key.map { !known.contains($0) } ?? true
    }
    guard !faults.contains(where: { $0.effect == .stopsStart }) else {
      throw ConfigurationError(faults)
    }
    self.init(
      values, libraries: libraries, endpoints: sources.endpoints, resolved: resolved,
      faults: faults,
      warnings: Self.strayVariables(in: sources.environment)
        + libraries.filter(\.facts.asksForNoPIN).map {
          "libraries.\($0.id).cards_without_pin is no longer used: a card number alone signs nobody in"
        })
  }

  fileprivate static func resolve(
    _ spec: SettingSpec, _ sources: ConfigurationSources, _ faults: inout [ConfigurationFault]
  ) -> ResolvedSetting {
    if let flag = sources.flags.last(where: { $0.key == spec.key }) {
      let texts = words(flag.text, spec)
      faults += complaints(texts, spec, .flag(flag.flag))
      return ResolvedSetting(spec: spec, texts: texts, origin: .flag(flag.flag))
    }
    // An empty variable is an unset one, as everywhere.
    if let text = sources.environment[spec.variable], !text.isEmpty {
      let texts = words(text, spec)
      faults += complaints(texts, spec, .variable(spec.variable))
      return ResolvedSetting(spec: spec, texts: texts, origin: .variable(spec.variable))
    }
    for file in sources.files {
      guard let value = file.values[spec.key] else { continue }
      let origin = ResolvedSetting.Origin.file(file.path, line: value.line)
      return ResolvedSetting(spec: spec, texts: value.texts, origin: origin)
    }
    return ResolvedSetting(spec: spec, texts: spec.defaultTexts, origin: .builtIn)
  }

  /// A variable holds a list with commas.
  private static func words(_ text: String, _ spec: SettingSpec) -> [String] {
    guard spec.isList else { return [text] }
    return text.split { $0 == "," || $0 == " " }.map(String.init)
  }

  private static func complaints(
    _ texts: [String], _ spec: SettingSpec, _ place: ConfigurationFault.Place
  ) -> [ConfigurationFault] {
    texts.compactMap { text in
      spec.complaint(about: text).map {
        ConfigurationFault(place, key: spec.key, $0, suggestion: spec.suggestion(for: text))
      }
    }
  }

  /// A variable that looks like ours and is not may be a slip; it may also belong to a script.
  private static func strayVariables(in environment: [String: String]) -> [String] {
    let known = Settings.all.map(\.variable) + reservedVariables
    return environment.keys.filter { name in
      // Those of the mock libraries are not ours to judge.
      name.hasPrefix("CARREL_") && !name.hasPrefix("CARREL_MOCK_") && !known.contains(name)
    }.sorted()
      .map { name in
        let near = nearest(to: name, among: known).first.map { "; did you mean \($0)?" } ?? ""
        return "the variable \(name) is no setting of carrel" + near
      }
  }

  private init(
    _ values: [String: [String]], libraries: [LibrarySettings], endpoints: EndpointsFile,
    resolved: [ResolvedSetting], faults: [ConfigurationFault], warnings: [String]
  ) {
    func value<Value>(_ setting: Setting<Value>) -> Value {
      setting.value(of: values[setting.spec.key] ?? [])
    }
    server = Server(
      listen: value(Settings.Server.listen), port: value(Settings.Server.port),
      unixSocket: value(Settings.Server.unixSocket),
      publicURL: value(Settings.Server.publicURL).map(Self.withoutSlash),
      trustedProxies: value(Settings.Server.trustedProxies),
      maxHeaderSize: value(Settings.Server.maxHeaderSize),
      maxBodySize: value(Settings.Server.maxBodySize),
      headerTimeout: value(Settings.Server.headerTimeout),
      requestTimeout: value(Settings.Server.requestTimeout),
      idleTimeout: value(Settings.Server.idleTimeout),
      shutdownGrace: value(Settings.Server.shutdownGrace),
      connectionsPerAddress: value(Settings.Server.connectionsPerAddress),
      connections: value(Settings.Server.connections), loops: value(Settings.Server.loops))
    database = Database(
      url: value(Settings.Database.url), passwordFile: value(Settings.Database.passwordFile),
      slowAfter: value(Settings.Database.slowAfter), replica: value(Settings.Database.replica),
      replicaLag: value(Settings.Database.replicaLag))
    audit = Audit(months: value(Settings.Audit.months))
    metrics = Metrics(
      listen: value(Settings.Metrics.listen), tokenFile: value(Settings.Metrics.tokenFile))
    catalog = Catalog(
      askAfter: value(Settings.Catalog.askAfter), patience: value(Settings.Catalog.patience),
      paper: value(Settings.Catalog.paper))
    schedule = Schedule(
      syncEvery: value(Settings.Schedule.syncEvery),
      harvestEvery: value(Settings.Schedule.harvestEvery),
      listsEvery: value(Settings.Schedule.listsEvery))
    office = Office(codes: value(Settings.Office.codes))
    http = HTTP(
      contact: value(Settings.HTTP.contact), proxy: value(Settings.HTTP.proxy),
      caFile: value(Settings.HTTP.caFile), allowHosts: value(Settings.HTTP.allowHosts),
      patronHosts: value(Settings.HTTP.patronHosts),
      connectTimeout: value(Settings.HTTP.connectTimeout), deadline: value(Settings.HTTP.deadline))
    covers = Covers(cacheSize: value(Settings.Covers.cacheSize))
    downloads = Downloads(
      atOnce: value(Settings.Downloads.atOnce),
      perLibrary: value(Settings.Downloads.perLibrary), budget: value(Settings.Downloads.budget))
    scanner = Scanner(
      address: value(Settings.Scanner.address), isRequired: value(Settings.Scanner.required),
      deadline: value(Settings.Scanner.deadline), largest: value(Settings.Scanner.largest))
    adobe = Adobe(vendor: value(Settings.Adobe.vendor), node: value(Settings.Adobe.node))
    log = Log(level: value(Settings.Log.level), format: value(Settings.Log.format))
    lcp = LCP(
      rootsFile: value(Settings.LCP.rootsFile), revokedFile: value(Settings.LCP.revokedFile),
      revokedURL: value(Settings.LCP.revokedURL))
    opds = OPDS(
      isPublic: value(Settings.OPDS.isPublic), title: value(Settings.OPDS.title),
      memory: value(Settings.OPDS.memory))
    lanes = Lanes(file: value(Settings.Lanes.file))
    paths = Paths(
      data: value(Settings.Paths.data), state: value(Settings.Paths.state),
      cache: value(Settings.Paths.cache))
    if let host = value(Settings.Mail.server), let from = value(Settings.Mail.from) {
      mail = Mail(
        server: host, port: value(Settings.Mail.port), security: value(Settings.Mail.security),
        from: from, username: value(Settings.Mail.username),
        passwordFile: value(Settings.Mail.passwordFile))
    } else {
      mail = nil
    }
    notices = Notices(
      loanDue: value(Settings.Notices.loanDue), offerEnds: value(Settings.Notices.offerEnds),
      syncBroken: value(Settings.Notices.syncBroken), smsMail: value(Settings.Notices.smsMail),
      smsURL: value(Settings.Notices.smsURL), smsBody: value(Settings.Notices.smsBody),
      smsKeyFile: value(Settings.Notices.smsKeyFile),
      smsPerDay: value(Settings.Notices.smsPerDay))
    wishes = Wishes(
      askEvery: value(Settings.Wishes.askEvery), budget: value(Settings.Wishes.budget),
      askAtLeast: value(Settings.Wishes.askAtLeast), settle: value(Settings.Wishes.settle))
    vault = Vault(
      source: value(Settings.Vault.source), keyFile: value(Settings.Vault.keyFile),
      passphraseFile: value(Settings.Vault.passphraseFile))
    self.libraries = libraries
    self.endpoints = endpoints
    self.resolved = resolved
    self.faults = faults
    self.warnings = warnings
  }

  private static func withoutSlash(_ text: String) -> String {
    text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

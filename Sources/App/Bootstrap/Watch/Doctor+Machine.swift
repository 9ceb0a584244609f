import Database
import HTTPClient
import Items
import Machine
import Setup
import TextSafety

/// The machine: files, room, clocks.
extension Doctor {
  func permissions() -> [CheckupItem] {
    var found: [CheckupItem] = []
    for (path, isFolder) in [(data, true)] + secretFiles.map({ ($0, false) }) {
      guard let access = try? Access(of: path) else {
        // What is made when it is first needed may be missing.
        if !isFolder, path.hasPrefix(data) { continue }
        if isFolder { continue }
        found.append(
          CheckupItem(
            "permissions", path, .fail, "\(path) is not there, or may not be read.",
            try: "ls -l \(path)"))
        continue
      }
      if access.mode & 0o037 != 0 || access.mode & 0o040 != 0 && !isHandedOver(path) {
        found.append(
          CheckupItem(
            "permissions", path, .fail, "Others can read \(path).",
            try: "chmod \(isFolder ? "700" : "600") \(path)"))
      } else if !access.isOurs {
        found.append(
          CheckupItem(
            "permissions", path, .fail, "\(path) belongs to another account.",
            try: "ls -l \(path)"))
      }
    }
    return found + openSettings()
      + (found.isEmpty
        ? [CheckupItem("permissions", .ok, "What is secret is closed to others.")] : [])
  }

  /// A service manager guards its credentials by a folder of its own.
  private func isHandedOver(_ path: String) -> Bool {
    seat.place.environment["CREDENTIALS_DIRECTORY"].map { path.hasPrefix($0 + "/") } ?? false
  }

  /// Every file with a secret in it that the settings name.
  var secretFiles: [String] {
    var files = [
      configuration.database.passwordFile, configuration.vault.passphraseFile,
      configuration.mail?.passwordFile, configuration.notices.smsKeyFile,
      configuration.metrics.tokenFile,
    ].compactMap { $0 }
    if configuration.vault.source == .keyFile {
      files.append(configuration.vault.keyFile ?? "\(data)/vault.key")
    }
    for library in configuration.libraries {
      files += library.settings.filter { $0.key.hasSuffix("_file") }.map(\.value.value)
      if let adobe = library.facts.adobe { files.append(adobe.secretFile) }
    }
    return Array(Set(files)).sorted()
  }

  /// Settings may be read by anybody, unless a password stands in them.
  private func openSettings() -> [CheckupItem] {
    configuration.resolved.compactMap { resolved in
      guard case .file(let path, _) = resolved.origin, resolved.spec.secrecy != .open,
        resolved.spec.shown(resolved.texts) != resolved.texts,
        let access = try? Access(of: path), access.isReadableByOthers
      else { return nil }
      return CheckupItem(
        "permissions", path, .warn,
        "A password stands in \(resolved.spec.key), and others can read \(path).",
        try: "chmod 600 \(path)")
    }
  }

  func room() -> [CheckupItem] {
    var folders = [("data", data), ("cache", cache)]
    if case .some(let url) = configuration.database.url, url.hasPrefix("sqlite:") {
      folders.append(("database", String(url.dropFirst("sqlite:".count))))
    }
    return folders.flatMap { name, path -> [CheckupItem] in
      let disk: FileSystem
      do throws(MachineError) { disk = try FileSystem(holding: path) } catch {
        return [CheckupItem("disk", name, .fail, "\(error).", try: "ls -ld \(path)")]
      }
      var found: [CheckupItem] = []
      switch disk.kind {
      case .network(let kind):
        found.append(
          CheckupItem(
            "disk", name, .warn, "\(path) lies on \(kind), where locks may not hold.",
            try: "carrel config show paths"))
      case .userspace:
        found.append(
          CheckupItem(
            "disk", name, .warn, "\(path) is kept by a program (FUSE), where locks may not hold.",
            try: "carrel config show paths"))
      case .local: break
      }
      if disk.totalInodes > 0, disk.availableInodes * 100 < disk.totalInodes {
        found.append(
          CheckupItem(
            "disk", name, disk.availableInodes < 100 ? .fail : .warn,
            "\(disk.availableInodes) more files fit on the disk of \(path).", try: "df -i \(path)"))
      }
      let free = Int(clamping: disk.availableBytes)
      let state: CheckupItem.State = free < 64 << 20 ? .fail : free < 1 << 30 ? .warn : .ok
      found.append(
        CheckupItem(
          "disk", name, state, "\(Self.room(free)) free for \(path).",
          try: state == .ok ? nil : "df -h \(path)"))
      return found
    }
  }

  /// Each connection is a file, and so is each book that is sent.
  func processLimits() -> CheckupItem {
    let wanted = configuration.server.wantedFiles
    // As the gateway does when it starts.
    let limit = ThisProcess.raiseFileLimit(to: wanted)
    guard limit < wanted else {
      return CheckupItem("limits", .ok, "\(limit) files may be open.")
    }
    return CheckupItem(
      "limits", .warn,
      "\(limit) files may be open here, and server.connections alone is "
        + "\(configuration.server.connections).",
      try: "ulimit -n \(wanted)")
  }

  /// Without authorities to believe no library can be reached, and none is asked here where no card is linked.
  func certificates() -> CheckupItem {
    let client = ClientConfiguration(configuration, seat.place.environment)
    guard let path = client.authorities else {
      return CheckupItem("certificates", .ok, "libcurl finds them by itself.")
    }
    var count = 0
    do throws(FileError) {
      let text = String(decoding: try WholeFile.read(path, upTo: 16 << 20), as: UTF8.self)
      // RFC 7468 §5; the second spelling is OpenSSL's own.
      for begin in ["-----BEGIN CERTIFICATE-----", "-----BEGIN TRUSTED CERTIFICATE-----"] {
        count += text.ranges(of: begin).count
      }
    } catch {
      return withoutCertificates(path, "\(error)")
    }
    guard count > 0 else { return withoutCertificates(path, "there is none in it") }
    return CheckupItem("certificates", .ok, "\(count) authorities are trusted for https.")
  }

  private func withoutCertificates(_ path: String, _ why: String) -> CheckupItem {
    CheckupItem(
      "certificates", .fail,
      "No server can be reached over https: the trusted certificates in \(path) cannot be read (\(why)).",
      try: path == curlAuthorities
        ? "apt-get install ca-certificates" : "carrel config show http.ca_file")
  }

  // MARK: - Clocks

  /// Loans end by clocks, and signatures are refused when they are apart.
  func clock(_ house: House, _ faults: [ReadinessFault]) async -> [CheckupItem] {
    if let fault = faults.first(where: { $0.kind == .clock }) {
      return [
        CheckupItem(
          "clock", .fail, "It is wrong: \(fault.text).", try: "timedatectl set-ntp true")
      ]
    }
    var apart: [(who: String, milliseconds: Int64)] = house.counter.clocksAhead.map {
      (house.counter.name(of: $0.key), $0.value)
    }
    if house.store.dialect == .postgres {
      let there = try? await house.store.read { tx throws(DatabaseError) in try tx.serverTime() }
      if let there {
        apart.append(("the database", there - house.time.now().millisecondsSinceEpoch))
      }
    }
    guard !apart.isEmpty else {
      return [CheckupItem("clock", .ok, "Nobody was asked whose clock could be compared.")]
    }
    // One library's wrong clock is its own affair; if most are apart from us, it is ours.
    let sorted = apart.map { abs($0.milliseconds) }.sorted()
    let usual = sorted[sorted.count / 2]
    let worst = apart.max { abs($0.milliseconds) < abs($1.milliseconds) }
    let seconds = (worst?.milliseconds ?? 0) / 1000
    let state: CheckupItem.State = usual > 300_000 ? .fail : usual > 30_000 ? .warn : .ok
    return [
      CheckupItem(
        "clock", state,
        state == .ok && abs(seconds) < 30
          ? "It agrees with those that were asked."
          : "It is \(Self.span(abs(seconds))) apart from \(worst?.who ?? "others").",
        try: state == .ok ? nil : "timedatectl set-ntp true")
    ]
  }

  private static func room(_ bytes: Int) -> String {
    bytes >= 10 << 30 ? "\(bytes >> 30) GiB are" : "\(bytes >> 20) MiB are"
  }

  private static func span(_ seconds: Int64) -> String {
    switch seconds {
    case 172_800...: "\(seconds / 86400) days"
    case 7200...: "\(seconds / 3600) hours"
    case 120...: "\(seconds / 60) minutes"
    case 1: "1 second"
    default: "\(seconds) seconds"
    }
  }
}

import Console
import Machine
import Setup
import Shelving
import TextSafety

/// Settings files on their way from the disk.
enum SettingsReading {
  /// Far more than any real file of settings.
  private static let limit = 1 << 20

  static func exists(_ path: String) -> Bool { Files.exists(path) }

  /// A file by itself, without environment and flags; faults name it as `name`.
  static func alone(
    _ path: String, named name: String? = nil, _ check: @escaping ConfigurationSources.LibraryCheck
  ) throws(CommandError) -> Configuration {
    var sources = ConfigurationSources()
    sources.libraryCheck = check
    sources.add(try bytes(path), name ?? path)
    return try configuration(&sources, beside: name ?? path)
  }

  /// The settings of these sources, with the addresses and lanes that lie beside a settings file. The
  /// faults of all files are reported together.
  static func configuration(
    _ sources: inout ConfigurationSources, beside path: String
  ) throws(CommandError) -> Configuration {
    try sources.addEndpoints(beside: path)
    var shown: [Lane]?
    do throws(ConfigurationError) {
      shown = try lanes(sources.text(of: "lanes.file"), beside: path)
    } catch {
      sources.faults += error.faults
    }
    do throws(ConfigurationError) {
      var configuration = try Configuration(from: sources)
      configuration.lanes.place = lanesPath(configuration.lanes.file, beside: path)
      if let shown { configuration.lanes.shown = shown }
      return configuration
    } catch {
      throw CommandError(error)
    }
  }

  /// The lanes of a file that must be there when it is named, or of `lanes.yaml` in the folder of
  /// the settings file; nil when there is none.
  static func lanes(
    _ named: String?, beside settings: String
  ) throws(ConfigurationError) -> [Lane]? {
    let path = lanesPath(named, beside: settings)
    guard named != nil || exists(path) else { return nil }
    let bytes: [UInt8]
    do throws(FileError) { bytes = try WholeFile.read(path, upTo: limit) } catch {
      throw ConfigurationError([ConfigurationFault(.whole, key: "lanes.file", "\(error)")])
    }
    return try LanesFile(bytes, path: path).lanes
  }

  static func lanesPath(_ named: String?, beside settings: String) -> String {
    let folder = settings.lastIndex(of: "/").map { String(settings[...$0]) } ?? ""
    return named ?? folder + "lanes.yaml"
  }

  static func bytes(_ path: String) throws(CommandError) -> [UInt8] {
    do throws(FileError) {
      return try WholeFile.read(path, upTo: limit)
    } catch {
      guard error.isMissing else { throw CommandError(.configUnreadable, "\(error)") }
      throw CommandError(
        .configMissing, "there is no settings file \(path)",
        try: "carrel config example --output \(value: path)")
    }
  }
}

extension ConfigurationSources {
  /// Passes by a file that is not there and need not be.
  mutating func add(_ path: String, isNeeded: Bool) throws(CommandError) {
    guard isNeeded || SettingsReading.exists(path) else { return }
    add(try SettingsReading.bytes(path), path)
  }

  mutating func add(_ bytes: [UInt8], _ path: String) {
    do throws(ConfigurationError) { files.append(try SettingsFile(bytes, path: path)) } catch {
      faults += error.faults
    }
  }

  /// `endpoints.yaml` in the folder of the settings file, if there is one.
  fileprivate mutating func addEndpoints(beside path: String) throws(CommandError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let path = folder + "endpoints.yaml"
    guard SettingsReading.exists(path) else { return }
    let bytes = try SettingsReading.bytes(path)
    do throws(ConfigurationError) { endpoints = try EndpointsFile(bytes, path: path) } catch {
      faults += error.faults
    }
  }
}

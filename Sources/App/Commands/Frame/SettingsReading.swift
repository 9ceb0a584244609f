import Console
import Machine
import Setup
import Shelving

/// Settings files on their way from the disk.
enum SettingsReading {
  /// Far more than any real file of settings.
  private static let limit = 1 << 20

  static func exists(_ path: String) -> Bool { Files.exists(path) }

  /// Nil when the file is not there and need not be.
  static func file(_ path: String, isNeeded: Bool) throws(CommandError)
    -> SettingsFile?
  {
    guard isNeeded || exists(path) else { return nil }
    return try parse(try bytes(path), path)
  }

  /// A file by itself, without environment and flags; faults name it as `name`.
  static func alone(_ path: String, named name: String? = nil) throws(CommandError)
    -> Configuration
  {
    let file = try parse(try bytes(path), name ?? path)
    do throws(ConfigurationError) {
      var configuration = try Configuration(from: ConfigurationSources(files: [file]))
      if let lanes = try lanes(configuration.lanes.file, beside: name ?? path) {
        configuration.lanes.shown = lanes
      }
      return configuration
    } catch {
      throw CommandError(error)
    }
  }

  /// `endpoints.yaml` in the folder of the settings file; nil when there is none.
  static func endpoints(beside path: String) throws(CommandError) -> EndpointsFile? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let path = folder + "endpoints.yaml"
    guard exists(path) else { return nil }
    let bytes = try bytes(path)
    do throws(ConfigurationError) { return try EndpointsFile(bytes, path: path) } catch {
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
        try: "carrel config example --output \(path)")
    }
  }

  private static func parse(_ bytes: [UInt8], _ path: String) throws(CommandError)
    -> SettingsFile
  {
    do throws(ConfigurationError) {
      return try SettingsFile(bytes, path: path)
    } catch {
      throw CommandError(error)
    }
  }
}

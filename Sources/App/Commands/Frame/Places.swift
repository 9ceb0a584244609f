import Arguments
import TextSafety

/// Where files lie: in one folder with `--home`, by the XDG rules without.
struct Places: Sendable {
  let config: String
  let data: String
  let state: String
  let cache: String
  /// With a home of its own the program reads nothing outside it.
  let isContained: Bool

  var settings: String { config + "/config.yaml" }
  var profiles: String { config + "/profiles" }

  init(home: String?, _ surroundings: Surroundings) throws(CommandError) {
    if let home = home ?? surroundings["CARREL_HOME"] {
      let home = home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home
      (config, data, state, cache) = (home, home + "/data", home + "/state", home + "/cache")
      isContained = true
      return
    }
    let base = surroundings["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    func folder(_ variable: String, _ fallback: String) throws(CommandError) -> String {
      // The XDG rules want values that are not absolute ignored.
      if let value = surroundings[variable], value.hasPrefix("/") { return value + "/carrel" }
      guard let base else {
        throw CommandError(
          .noHome, "HOME is not set, so there is no place for files",
          try: "carrel --home /var/lib/carrel config path")
      }
      return base + fallback + "/carrel"
    }
    config = try folder("XDG_CONFIG_HOME", "/.config")
    data = try folder("XDG_DATA_HOME", "/.local/share")
    state = try folder("XDG_STATE_HOME", "/.local/state")
    cache = try folder("XDG_CACHE_HOME", "/.cache")
    isContained = false
  }
}

// swift-tools-version: 6.2
import PackageDescription

// The graph, in reading order: a target may use only what stands above it. Tests/Architecture
// reads the sources and fails on any arrow that points the other way.

let package = Package(
  name: "carrel",
  products: [
    .executable(name: "carrel", targets: ["carrel"])
  ],
  targets: [
    // C: a module map and a shim header per Debian library.
    .clibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    .clibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    .clibrary("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    .clibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    .clibrary("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
    .clibrary("CEvent", pkgConfig: "libevent_pthreads", apt: "libevent-dev"),
    .clibrary("CYaml", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    .clibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    .target(name: "CLLHTTP", path: "Sources/C/CLLHTTP"),

    // Platform: one library or one format each.
    .platform("Machine"),
    .platform("Log"),
    .platform("Arguments"),
    .platform("Yaml", ["CYaml"]),
    .platform("Crypto", ["COpenSSL"]),
    .platform("Compression", ["CZlib"]),
    .platform("Markup"),
    .platform("XML", ["CXML2", "Markup"]),
    .platform("Database", ["CSQLite", "CPostgres"]),
    .platform("HTTP"),
    .platform("HTTPClient", ["CCurl", "HTTP"]),
    .platform("HTTPServer", ["CEvent", "CLLHTTP", "Compression", "HTTP", "Log"]),

    // Surfaces.
    .surface("Web", ["HTTP", "HTTPServer", "Markup"]),

    // App: the only place where everything is put together.
    .app(
      "Bootstrap",
      ["HTTP", "HTTPClient", "HTTPServer", "Database", "Log", "Machine", "Web", "Yaml"]),
    .executableTarget(
      name: "carrel",
      dependencies: ["Arguments", "Bootstrap", "Log", "Machine", "Yaml"],
      path: "Sources/App/carrel", swiftSettings: .strict),

    // Benchmarks.
    .executableTarget(
      name: "bench-database", dependencies: ["Database"], path: "Bench/Database",
      swiftSettings: .strict),

    // Tests.
    .target(
      name: "TestSupport", dependencies: [], path: "Tests/Support", swiftSettings: .strict),
    .tests("Machine"),
    .tests("Log"),
    .tests("Arguments"),
    .tests("Yaml"),
    .tests("Crypto"),
    .tests("Compression"),
    .tests("Markup"),
    .tests("XML", ["Markup"]),
    .tests("Database"),
    .tests("HTTP"),
    .tests("HTTPClient", ["HTTP"]),
    .tests("HTTPServer", ["Compression", "HTTP", "Log"]),
    .tests("Bootstrap", ["HTTP", "HTTPServer", "Web", "Yaml"]),
    .tests("carrel", ["Arguments", "Bootstrap"]),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["TestSupport"], path: "Tests/Architecture",
      swiftSettings: .strict),
  ]
)

extension [SwiftSetting] {
  static var strict: [SwiftSetting] {
    [
      .swiftLanguageMode(.v6),
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
  }
}

extension Target {
  static func clibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(
      name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
  }

  static func platform(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    layer("Platform", name, uses)
  }

  static func surface(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    layer("Surfaces", name, uses)
  }

  static func app(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    layer("App", name, uses)
  }

  static func layer(_ layer: String, _ name: String, _ uses: [Target.Dependency]) -> Target {
    .target(
      name: name, dependencies: uses, path: "Sources/\(layer)/\(name)", swiftSettings: .strict)
  }

  static func tests(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    .testTarget(
      name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + uses,
      path: "Tests/\(name)Tests", swiftSettings: .strict)
  }
}

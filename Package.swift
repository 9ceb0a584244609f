// swift-tools-version: 6.2
import PackageDescription

// Over 300 lines because the whole graph is read on one page.

// The graph, in reading order: a target may use only what stands above it. Tests/Architecture
// reads the sources and fails on any arrow that points the other way.

let package = Package(
  name: "carrel",
  products: [
    .executable(name: "carrel", targets: ["carrel"]),
    .executable(name: "carrel-book", targets: ["carrel-book"]),
    .executable(name: "carrel-gateway", targets: ["carrel-gateway"]),
    .executable(name: "carrel-picture", targets: ["carrel-picture"]),
  ],
  targets: [
    // C: a module map and a shim header per Debian library.
    .clibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    .clibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    .clibrary("CTLS", pkgConfig: nil, apt: "libssl-dev"),
    .clibrary("CXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    .clibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    .clibrary("CPostgres", pkgConfig: "libpq", apt: "libpq-dev"),
    .clibrary("CEvent", pkgConfig: "libevent_pthreads", apt: "libevent-dev"),
    .clibrary("CYaml", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
    .clibrary("CGD", pkgConfig: nil, apt: "libgd-dev"),
    .clibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    .clibrary("CBZip2", pkgConfig: nil, apt: "libbz2-dev"),
    .clibrary("CZip", pkgConfig: "libzip", apt: "libzip-dev"),
    .clibrary("CUnistring", pkgConfig: nil, apt: "libunistring-dev"),
    .clibrary("CHyphen", pkgConfig: nil, apt: "libhyphen-dev"),
    .clibrary("CZint", pkgConfig: nil, apt: "libzint-dev"),
    .clibrary("CZBar", pkgConfig: nil, apt: "libzbar0"),
    .target(name: "CLLHTTP", path: "Sources/C/CLLHTTP"),
    .target(name: "CBuiltIn", path: "Sources/C/CBuiltIn"),
    .target(name: "CCrash", path: "Sources/C/CCrash"),
    .target(name: "CSandbox", path: "Sources/C/CSandbox"),

    // Platform: one library or one format each.
    .platform("TextSafety"),
    .platform("Machine", ["TextSafety"]),
    .platform("Secrets"),
    .platform("Log", ["Secrets"]),
    .platform("Metrics"),
    .platform("Arguments", ["TextSafety"]),
    .platform("JSON"),
    .platform("CSV"),
    .platform("Console", ["CCrash", "TextSafety"]),
    .platform("Yaml", ["CYaml"]),
    .platform("Crypto", ["COpenSSL", "Secrets"]),
    .platform("Compression", ["CBZip2", "CZlib"]),
    .platform("Archive"),
    .platform("Scanning", ["Machine"]),
    .platform("Zip", ["CZip", "Compression"]),
    .platform("Text", ["CUnistring", "TextSafety"]),
    .platform("Hyphenation", ["CHyphen", "Machine"]),
    .platform("Markup"),
    // Files that are part of the programs.
    .platform("BuiltIn", ["CBuiltIn"]),
    // What pages say in other tongues than English: catalogues, built in.
    .platform("Phrasebook", ["BuiltIn"], exclude: ["de.txt", "es.txt"]),
    .platform("Styles"),
    .platform("XML", ["CXML2", "Markup"]),
    // Pictures as bytes: what is asked of them, and the program that does it.
    .platform("Pictures", ["Machine"]),
    // Pictures as pixels, for that program alone.
    .platform("Images", ["CGD", "Pictures"]),
    .platform("Barcodes", ["CZint"]),
    .platform("BarcodeReading", ["Barcodes", "CZBar", "Images"]),
    .platform("Sandbox", ["CSandbox"]),
    .platform("Database", ["CSQLite", "CPostgres"]),
    .platform("HTTP"),
    .platform("HTTPClient", ["CCurl", "HTTP"]),
    .platform("Lines", ["CEvent", "CTLS", "HTTP", "HTTPClient", "Machine"]),
    .platform("HTTPServer", ["CEvent", "CLLHTTP", "Compression", "HTTP", "Log"]),

    // Domain: what a book is to a library. Circulation imports no platform target at all.
    .domain("Circulation"),
    .domain("SIP2", ["Machine", "Text"]),
    // The contract's JSON items: light enough for the small program.
    .domain("Items", ["JSON", "TextSafety"], .strict),
    // Genres and lanes. The table of genres is a file that is built in.
    .domain("Shelving", ["BuiltIn"], exclude: ["genres.txt"]),

    // Licences of books: what they say, who signed them, what they open.
    .domain("LCP", ["Crypto", "JSON", "Machine", "Markup", "Secrets"]),

    // The format of books, as values: opened where the file lies, never unpacked.
    .domain(
      "EPUB", ["Compression", "Crypto", "JSON", "LCP", "Machine", "Markup", "Text", "XML", "Zip"],
      .strict),

    // Services.
    .service("Matching", ["Circulation"]),
    .service(
      "Catalog", ["Circulation", "Database", "JSON", "Matching", "Phrasebook", "Shelving"]),
    .service(
      "Desk", ["Circulation", "Crypto", "Database", "Machine", "Phrasebook", "Secrets"]),
    .service(
      "ProviderKit",
      [
        "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "Lines", "Log", "Machine", "Markup",
        "Secrets", "Text", "XML",
      ]),
    .service("OPDS", ["Circulation", "HTTP", "JSON", "Markup", "ProviderKit", "XML"]),
    .service("PictureWork", ["BarcodeReading", "Barcodes", "Images", "Pictures"]),
    .service("Covers", ["Circulation", "Crypto", "HTTP", "HTTPClient", "Machine", "Pictures"]),
    .service("SignIn", ["HTTP", "HTTPServer", "ProviderKit", "Secrets"]),
    .service("Vault", ["Crypto", "Machine", "Secrets"]),
    .service(
      "Registry",
      [
        "Circulation", "Crypto", "Database", "Machine", "ProviderKit", "Secrets", "Text", "Vault",
      ]),
    .service("Books", ["Circulation", "Database", "Desk"]),
    // Copies of everything, proved, put back, and carried from one engine to the other.
    .service("Safekeeping", ["Archive", "Crypto", "Database", "JSON", "Machine", "Secrets"]),
    .service("Slips", ["Circulation", "Crypto", "Database", "Machine", "Secrets", "Vault"]),
    .service("ReadingLists", ["Circulation", "Crypto", "Database", "JSON", "Machine"]),
    .service(
      "Mirrors",
      ["Circulation", "Database", "Machine", "Matching", "ReadingLists"]),
    .service(
      "Membership",
      [
        "Books", "Circulation", "Crypto", "Database", "Desk", "HTTP", "Machine", "Mirrors",
        "ProviderKit", "Registry", "Secrets", "Vault",
      ]),
    .service("Profiles", ["Circulation", "Database", "Phrasebook"]),
    .service(
      "Adobe",
      ["Circulation", "Crypto", "Database", "JSON", "Machine", "Markup", "Secrets", "XML"]),
    .service("ShelfFiles", ["CSV", "Circulation", "JSON", "ReadingLists"]),
    .service(
      "Wishes",
      ["Catalog", "Circulation", "Database", "Machine", "Matching", "ReadingLists"]),
    .service("Schedule", ["Database", "Machine"]),
    .service(
      "Notices",
      [
        "Circulation", "Crypto", "Database", "HTTP", "HTTPClient", "JSON", "Machine", "Phrasebook",
        "Registry", "Secrets", "Text", "TextSafety", "Vault",
      ]),
    .service(
      "Downloads",
      [
        "Circulation", "Crypto", "Database", "Desk", "EPUB", "HTTP", "HTTPClient", "JSON", "LCP",
        "Machine", "Markup", "ProviderKit", "Scanning", "XML", "Zip",
      ]),
    .service(
      "Licenses",
      [
        "Circulation", "Crypto", "Database", "Downloads", "EPUB", "HTTP", "HTTPClient", "JSON",
        "LCP", "Machine", "Secrets", "Zip",
      ]),
    .service("Chapters", ["EPUB", "HTTP", "Markup", "Styles", "Text", "Zip"]),
    .service(
      "Reading", ["Circulation", "Database", "EPUB", "JSON", "Machine", "Markup", "ProviderKit"]),
    .service(
      "BackOffice",
      [
        "Adobe", "Books", "Catalog", "Circulation", "Database", "Desk", "Downloads", "Licenses",
        "Membership", "Mirrors", "Notices", "Profiles", "Reading", "ReadingLists", "Registry",
        "Schedule", "Shelving", "Slips", "Wishes",
      ]),
    .service(
      "FrontDesk",
      [
        "Books", "Catalog", "Circulation", "Covers", "Crypto", "Database", "Desk", "Downloads",
        "HTTP", "HTTPServer", "JSON", "Machine", "Markup", "Phrasebook", "Profiles", "Reading",
        "ReadingLists", "Registry", "Secrets", "Shelving", "Slips",
      ]),

    // Providers: one folder each, never one importing another.
    .provider(
      "CloudLibrary",
      [
        "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "Markup", "ProviderKit", "Secrets",
        "XML",
      ]),
    .provider(
      "OverDrive",
      ["Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "ProviderKit", "Secrets"]),
    .provider(
      "Axis360",
      [
        "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "Markup", "ProviderKit", "Secrets",
        "XML",
      ]),
    .provider(
      "OPDSLibrary",
      [
        "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "LCP", "Machine", "OPDS",
        "ProviderKit", "Secrets",
      ]),

    .provider(
      "Gutenberg",
      [
        "Archive", "CSV", "Circulation", "Compression", "HTTP", "HTTPClient", "Machine", "Markup",
        "ProviderKit", "XML",
      ]),
    .provider("BiblioCommons", ["Circulation", "HTTP", "ProviderKit"]),
    .provider(
      "HathiTrust",
      ["Circulation", "HTTP", "HTTPClient", "JSON", "ProviderKit", "XML"]),

    .provider(
      "Goodreads", ["Circulation", "HTTP", "HTTPClient", "ProviderKit", "Secrets", "XML"]),
    .provider("BookWyrm", ["Circulation", "HTTP", "HTTPClient", "JSON", "ProviderKit", "Secrets"]),
    .provider(
      "GoogleBooks",
      ["Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "ProviderKit", "Secrets"]),
    .provider(
      "OpenLibrary",
      ["CSV", "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "ProviderKit", "Secrets"]),

    .provider(
      "LibraryDesk",
      [
        "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "Lines", "Machine", "Matching",
        "ProviderKit", "SIP2", "Secrets", "Text", "XML",
      ]),

    // Surfaces.
    .surface(
      "Web",
      [
        "Adobe", "BackOffice", "Barcodes", "Books", "BuiltIn", "Catalog", "Chapters",
        "Circulation", "Covers", "Crypto", "Database", "Desk", "Downloads", "EPUB", "FrontDesk",
        "HTTP",
        "HTTPServer", "Items", "JSON", "LCP", "Licenses", "Machine", "Markup",
        "Membership", "Mirrors", "Notices", "Phrasebook", "Pictures", "Profiles", "ProviderKit",
        "Reading",
        "ReadingLists", "Registry", "Schedule", "Secrets", "ShelfFiles",
        "Shelving", "Slips", "Text", "Vault", "XML",
      ],
      exclude: ["Offline/Icons", "Reader/Assets"]),
    .surface("Terminal", ["Console", "Crypto", "EPUB", "Hyphenation", "Text", "TextSafety"]),
    .surface(
      "Facade",
      [
        "Adobe",
        "Catalog", "Circulation", "Covers", "Crypto", "Database", "Desk", "FrontDesk", "HTTP",
        "HTTPServer", "JSON", "Machine", "Markup", "OPDS", "Phrasebook", "Pictures", "ProviderKit",
        "Reading", "ReadingLists",
        "Registry", "Secrets", "Shelving", "Slips", "XML",
      ]),

    // App: the only place where everything is put together.
    .app(
      "Setup",
      [
        "Arguments", "Items", "JSON", "Machine", "Metrics", "Secrets", "Shelving", "TextSafety",
        "Yaml",
      ]),
    // Book files without an account, light enough for a program of its own.
    .app("ReadingRoom", ["Crypto", "EPUB", "Items", "LCP", "Machine", "Setup"]),
    .app(
      "Bootstrap",
      [
        "Adobe", "Archive", "Arguments", "Axis360", "BackOffice", "Barcodes", "BiblioCommons",
        "BookWyrm",
        "Books",
        "Catalog", "Circulation",
        "CloudLibrary",
        "Compression",
        "Console", "Covers", "Crypto", "Database", "Desk", "Downloads", "EPUB", "Facade",
        "FrontDesk", "Goodreads",
        "GoogleBooks",
        "Gutenberg", "HTTP",
        "HTTPClient", "HTTPServer", "HathiTrust", "Items", "JSON", "LCP", "LibraryDesk",
        "Licenses", "Lines", "Log", "Machine", "Markup", "Matching", "Membership", "Metrics",
        "Mirrors", "Notices", "OPDS", "OPDSLibrary", "Phrasebook",
        "OpenLibrary",
        "OverDrive",
        "Pictures", "Profiles", "ProviderKit",
        "Reading",
        "ReadingLists", "ReadingRoom", "Registry", "Safekeeping", "Scanning",
        "Schedule", "Secrets", "Setup",
        "ShelfFiles",
        "Shelving",
        "SignIn", "Slips",
        "Terminal", "TextSafety", "Vault", "Web", "Wishes", "XML", "Yaml", "Zip",
      ]),
    .app(
      "Commands",
      [
        "Arguments", "CSV", "Console", "Items", "JSON", "Machine", "Metrics", "Secrets", "Setup",
        "Shelving", "TextSafety", "Yaml",
      ]),
    .program("carrel", ["Commands"]),
    .program("carrel-book", ["Commands", "Console", "ReadingRoom"]),
    .program("carrel-gateway", ["Bootstrap", "Commands", "Machine", "ReadingRoom"]),
    .program("carrel-picture", ["Images", "PictureWork", "Pictures", "Sandbox"]),

    // Mocks: each vendor's wire, over one library that really lends.
    .mock(
      "MockKit",
      [
        "Compression", "Crypto", "HTTP", "HTTPClient", "HTTPServer", "JSON", "Lines", "Log",
        "Machine", "Markup", "Secrets", "XML",
      ]),
    .mock("OverDriveMock", ["Crypto", "HTTP", "HTTPServer", "JSON", "MockKit"]),
    .mock("Axis360Mock", ["Crypto", "HTTP", "HTTPServer", "JSON", "MockKit"]),
    .mock(
      "CloudLibraryMock",
      ["Crypto", "HTTP", "HTTPServer", "JSON", "Machine", "Markup", "MockKit", "XML"]),
    .mock("OPDSMock", ["Crypto", "HTTP", "HTTPServer", "JSON", "Markup", "MockKit"]),
    .mock(
      "GutenbergMock",
      ["Archive", "Compression", "Crypto", "HTTP", "HTTPServer", "JSON", "Markup", "MockKit"]),
    .mock(
      "LibraryDeskMock",
      ["Crypto", "HTTP", "HTTPServer", "JSON", "Machine", "MockKit", "Text"]),
    .mock("HathiTrustMock", ["HTTP", "HTTPServer", "JSON", "MockKit"]),
    .mock("BookWyrmMock", ["HTTP", "HTTPServer", "JSON", "MockKit"]),
    .mock("GoogleBooksMock", ["Crypto", "HTTP", "HTTPServer", "JSON", "MockKit"]),
    .mock("GoodreadsMock", ["Crypto", "HTTP", "HTTPServer", "JSON", "MockKit", "Secrets"]),
    .mock("OpenLibraryMock", ["HTTP", "HTTPServer", "JSON", "MockKit"]),
    .executableTarget(
      name: "carrel-mock",
      dependencies: [
        "Arguments", "Axis360Mock", "BookWyrmMock", "CloudLibraryMock", "Console", "GoodreadsMock",
        "GoogleBooksMock", "GutenbergMock",
        "HTTP", "HTTPClient", "HTTPServer", "HathiTrustMock", "JSON", "LibraryDeskMock", "Lines",
        "Machine", "MockKit", "OPDSMock",
        "OpenLibraryMock", "OverDriveMock", "TextSafety", "Yaml",
      ],
      path: "Mocks/carrel-mock", swiftSettings: .small, linkerSettings: .small),

    // Benchmarks: the programs that scripts/bench-* measure.
    .bench("HTTP", ["HTTP", "HTTPServer"]),
    .bench("Database", ["Database"]),
    .bench("Catalog", ["Catalog", "Circulation", "Database", "Shelving"]),
    .bench("Merge", ["Catalog", "Circulation", "Database", "JSON", "Machine"]),
    .bench(
      "Desk",
      [
        "Circulation", "HTTP", "HTTPClient", "LibraryDesk", "Lines", "Machine", "ProviderKit",
        "Secrets",
      ]),
    .bench("Covers", ["Images", "Machine", "PictureWork", "Pictures"]),
    .bench("Reading", ["EPUB", "Machine", "Terminal", "TextSafety"]),
    .bench("Books", ["Books", "Circulation", "Database", "Desk"]),
    .bench("Downloads", ["Circulation", "Database", "Desk", "Downloads", "HTTPClient", "Machine"]),
    .bench(
      "Facade",
      [
        "Catalog", "Circulation", "Covers", "Database", "Desk", "Facade", "FrontDesk", "HTTP",
        "HTTPClient", "HTTPServer", "Machine", "PictureWork", "Registry", "Secrets", "Shelving",
      ]),
    .bench(
      "Web",
      [
        "Books", "Catalog", "Circulation", "Covers", "Database", "Desk", "Downloads", "FrontDesk",
        "HTTP", "HTTPClient", "HTTPServer", "Machine", "PictureWork", "ProviderKit", "Reading",
        "ReadingLists", "Registry", "Secrets", "Shelving", "Slips", "Vault", "Web",
      ]),
    .bench("Wishes", ["Catalog", "Circulation", "Database", "Machine", "Matching"]),
    .bench("Wire", ["Axis360", "Circulation", "CloudLibrary", "Machine", "ProviderKit"]),

    // Tests.
    .target(
      name: "TestSupport", dependencies: ["Compression", "JSON"], path: "Tests/Support",
      swiftSettings: .test),
    .target(
      name: "BrowserSupport", dependencies: ["JSON", "TestSupport"], path: "Tests/BrowserSupport",
      swiftSettings: .test),
    .target(name: "AppSupport", path: "Tests/AppSupport", swiftSettings: .test),
    .target(
      name: "StoreSupport", dependencies: ["Database", "TestSupport"], path: "Tests/StoreSupport",
      swiftSettings: .test),
    .target(
      name: "MockSupport", dependencies: ["HTTPClient", "HTTPServer", "MockKit"],
      path: "Tests/MockSupport", swiftSettings: .test),
    .target(
      name: "Conformance",
      dependencies: [
        "MockSupport",
        "Circulation", "HTTP", "HTTPClient", "HTTPServer", "JSON", "Lines", "Machine", "MockKit",
        "ProviderKit", "Secrets",
      ],
      path: "Tests/Conformance", swiftSettings: .test),
    // What journeys and attacks share: the stage, its mock, a gateway, browsers and apps in front of it.
    .target(
      name: "JourneySupport",
      dependencies: [
        "Arguments", "Commands", "HTTP", "HTTPClient", "JSON", "MockKit", "OPDS", "TestSupport",
      ],
      path: "Tests/JourneySupport", swiftSettings: .test),
    .tests("TextSafety"),
    .tests("Machine"),
    .tests("Secrets"),
    .tests("Log", ["Secrets"]),
    .tests("Metrics"),
    .tests("Arguments", ["TextSafety"]),
    .tests("JSON"),
    .tests("CSV"),
    .tests("Console"),
    .tests("Yaml"),
    .tests("Crypto", ["Secrets"]),
    .tests("Compression"),
    .tests("Archive"),
    .tests("Scanning"),
    .tests("Zip"),
    .tests("Text"),
    .tests("Hyphenation", ["Machine"]),
    .tests("Phrasebook", ["Circulation", "Items", "Shelving"]),
    .tests("Markup"),
    .tests("Styles"),
    .tests("XML", ["Markup"]),
    .tests("Pictures", ["Images", "Machine"]),
    .tests("Images", ["Machine", "Pictures"]),
    .tests("Barcodes", ["BarcodeReading", "Images", "Pictures"]),
    .tests("Database", ["StoreSupport"]),
    .tests("HTTP"),
    .tests("HTTPClient", ["HTTP"]),
    .tests("Lines", ["HTTP", "HTTPClient"]),
    .tests("HTTPServer", ["Compression", "HTTP", "Log"]),
    .tests("Circulation"),
    .tests("Shelving"),
    .tests("SIP2", ["Machine", "Text"]),
    .tests("LCP", ["Crypto", "JSON", "Machine", "MockKit", "Secrets"]),
    .tests("EPUB", ["Crypto", "JSON", "LCP", "Machine", "MockKit", "Secrets", "XML"]),
    .testTarget(
      name: "CatalogTests",
      dependencies: [
        "Catalog", "Circulation", "Database", "Matching", "Shelving", "StoreSupport", "TestSupport",
      ],
      path: "Tests/CatalogTests", exclude: ["Fixtures"], swiftSettings: .test),
    .tests("Desk", ["Circulation", "Database", "Secrets", "StoreSupport"]),
    .tests("PictureWork", ["Images", "Pictures"]),
    .tests("Covers", ["HTTP", "HTTPClient", "Images", "Machine", "PictureWork", "Pictures"]),
    .testTarget(
      name: "MatchingTests", dependencies: ["CSV", "Circulation", "Matching"],
      path: "Tests/MatchingTests", exclude: ["Fixtures"], swiftSettings: .test),
    .tests("Vault", ["Crypto", "Machine", "Secrets"]),
    .tests(
      "Registry",
      [
        "AppSupport", "Circulation", "Crypto", "Database", "ProviderKit", "Secrets",
        "StoreSupport", "Vault",
      ]),
    .tests(
      "Membership",
      ["Circulation", "Database", "ProviderKit", "Registry", "Secrets", "StoreSupport", "Vault"]),
    .tests("Books", ["Circulation", "Database", "Desk", "StoreSupport"]),
    .tests(
      "Adobe",
      ["Circulation", "Crypto", "Database", "Markup", "Secrets", "StoreSupport", "XML"]),
    .tests("Slips", ["Circulation", "Crypto", "Database", "Secrets", "StoreSupport", "Vault"]),
    .tests("ReadingLists", ["Circulation", "Database", "StoreSupport"]),
    .tests("Mirrors", ["Circulation", "Database", "Machine", "ReadingLists", "StoreSupport"]),
    .tests(
      "ShelfFiles", ["CSV", "Circulation", "Database", "ReadingLists", "StoreSupport"]),
    .tests(
      "Wishes",
      ["Catalog", "Circulation", "Database", "Machine", "ReadingLists", "StoreSupport"]),
    .tests(
      "Downloads",
      [
        "Circulation", "Crypto", "Database", "Desk", "EPUB", "HTTP", "HTTPClient", "JSON", "LCP",
        "Machine", "MockKit", "ProviderKit", "Scanning", "Secrets", "StoreSupport",
      ]),
    .tests(
      "Licenses",
      [
        "Circulation", "Crypto", "Database", "Desk", "Downloads", "EPUB", "HTTP", "HTTPClient",
        "JSON", "LCP", "Machine", "MockKit", "Secrets", "StoreSupport",
      ]),
    .tests("Safekeeping", ["Crypto", "Database", "Machine", "Secrets", "StoreSupport"]),
    .tests("Schedule", ["Database", "Machine", "StoreSupport"]),
    .tests(
      "Notices",
      [
        "Circulation", "Crypto", "Database", "HTTP", "HTTPClient", "JSON", "Machine", "Phrasebook",
        "Registry", "Secrets", "StoreSupport", "Vault",
      ]),
    .tests("Reading", ["Circulation", "Database", "EPUB", "JSON", "Machine", "StoreSupport"]),
    .tests("ProviderKit", ["Circulation", "HTTP", "HTTPClient", "JSON", "Secrets", "XML"]),
    .tests("OPDS", ["Circulation", "HTTP", "Markup"]),
    .testTarget(
      name: "FacadeTests",
      dependencies: [
        "Catalog", "Circulation", "Covers", "Crypto", "Database", "Desk", "Facade", "FrontDesk",
        "HTTP", "HTTPClient", "HTTPServer", "JSON", "Machine", "OPDS", "PictureWork", "ProviderKit",
        "Reading", "ReadingLists", "Registry", "Secrets", "Shelving", "Slips", "StoreSupport",
        "TestSupport",
        "Vault", "XML",
      ],
      path: "Tests/FacadeTests", exclude: ["Fixtures"], swiftSettings: .test),
    .tests("SignIn", ["HTTP", "HTTPClient", "ProviderKit"]),
    .providerTests(
      "OverDrive",
      [
        "Circulation", "HTTP", "HTTPClient", "HTTPServer", "JSON", "MockKit", "ProviderKit",
        "Secrets",
      ],
      playedBy: "OverDriveMock"),
    .providerTests(
      "Axis360",
      [
        "Circulation", "HTTP", "HTTPClient", "HTTPServer", "JSON", "MockKit", "ProviderKit",
        "Secrets",
      ],
      playedBy: "Axis360Mock"),
    .providerTests(
      "CloudLibrary",
      ["Circulation", "HTTP", "HTTPClient", "MockKit", "ProviderKit", "Secrets"],
      playedBy: "CloudLibraryMock"),
    .providerTests(
      "OPDSLibrary",
      [
        "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "MockKit", "OPDS", "ProviderKit",
        "Secrets",
      ],
      playedBy: "OPDSMock"),
    .providerTests(
      "HathiTrust",
      ["Circulation", "HTTP", "HTTPClient", "MockKit", "ProviderKit", "Secrets"],
      playedBy: "HathiTrustMock"),
    .providerTests(
      "LibraryDesk",
      [
        "Circulation", "Crypto", "HTTP", "HTTPClient", "JSON", "Lines", "Machine", "MockKit",
        "MockSupport", "ProviderKit", "SIP2", "Secrets", "Text",
      ],
      playedBy: "LibraryDeskMock"),
    .providerTests(
      "Goodreads",
      [
        "Circulation", "HTTP", "HTTPClient", "JSON", "MockKit", "MockSupport", "ProviderKit",
        "Secrets",
      ],
      playedBy: "GoodreadsMock"),
    .providerTests(
      "BookWyrm",
      [
        "Circulation", "HTTP", "HTTPClient", "JSON", "MockKit", "MockSupport", "ProviderKit",
        "Secrets",
      ],
      playedBy: "BookWyrmMock"),
    .providerTests(
      "GoogleBooks",
      [
        "Circulation", "HTTP", "HTTPClient", "JSON", "MockKit", "MockSupport", "ProviderKit",
        "Secrets",
      ],
      playedBy: "GoogleBooksMock"),
    .providerTests(
      "OpenLibrary",
      [
        "Circulation", "HTTP", "HTTPClient", "JSON", "MockKit", "MockSupport", "ProviderKit",
        "Secrets",
      ],
      playedBy: "OpenLibraryMock"),
    .mockTests(
      "GoodreadsMock",
      ["Crypto", "HTTP", "HTTPClient", "JSON", "MockKit", "Secrets"], exclude: []),
    .mockTests("BookWyrmMock", ["HTTP", "HTTPClient", "JSON", "MockKit"], exclude: []),
    .mockTests(
      "HathiTrustMock", ["HTTP", "HTTPClient", "HTTPServer", "JSON", "MockKit"], exclude: []),
    .mockTests(
      "Axis360Mock", ["HTTP", "HTTPClient", "HTTPServer", "JSON", "MockKit"], exclude: []),
    .providerTests(
      "Gutenberg",
      [
        "Archive", "CSV", "Circulation", "Compression", "HTTP", "HTTPClient", "Machine", "MockKit",
        "ProviderKit", "XML",
      ],
      playedBy: "GutenbergMock"),
    .mockTests(
      "GutenbergMock",
      ["Archive", "Compression", "HTTP", "HTTPClient", "JSON", "MockKit"], exclude: []),
    .testTarget(
      name: "BiblioCommonsTests",
      dependencies: ["BiblioCommons", "Circulation", "HTTP", "ProviderKit"],
      path: "Providers/BiblioCommons/Tests", swiftSettings: .test),
    .tests("Conformance", ["Circulation", "OverDriveMock", "ProviderKit"]),
    .mockTests(
      "LibraryDeskMock", ["HTTP", "HTTPClient", "JSON", "Lines", "MockKit"], exclude: []),
    .mockTests("OverDriveMock", ["HTTP", "HTTPClient", "HTTPServer", "JSON", "MockKit"]),
    .mockTests(
      "CloudLibraryMock",
      [
        "Crypto", "HTTP", "HTTPClient", "HTTPServer", "JSON", "Markup", "MockKit", "Secrets",
        "XML",
      ],
      exclude: []),
    .mockTests(
      "OPDSMock",
      [
        "Compression", "Crypto", "HTTP", "HTTPClient", "HTTPServer", "JSON", "Markup", "MockKit",
        "XML",
      ],
      exclude: []),
    .tests(
      "MockKit",
      [
        "MockSupport", "Arguments", "Console", "HTTP", "HTTPClient", "HTTPServer", "JSON", "Markup",
        "OverDriveMock", "XML", "carrel-mock",
      ]),
    .tests(
      "Web",
      [
        "Adobe", "AppSupport", "BackOffice", "Barcodes", "Books", "BrowserSupport", "Catalog",
        "Chapters",
        "Circulation",
        "Covers", "Crypto", "Database", "Desk", "Downloads", "EPUB", "FrontDesk", "HTTP",
        "HTTPClient", "HTTPServer", "Images", "JSON", "LCP", "Licenses", "Machine", "Markup",
        "Membership", "Mirrors", "MockKit", "Notices", "Phrasebook", "PictureWork", "Pictures",
        "Profiles", "ProviderKit", "Reading", "ReadingLists", "Registry", "Schedule",
        "Secrets", "Shelving", "Slips", "StoreSupport", "Vault", "Wishes",
      ]),
    .tests("Terminal", ["EPUB", "Hyphenation", "TextSafety"]),
    .tests("Setup", ["Arguments", "Shelving", "Yaml"]),
    .tests(
      "Bootstrap",
      [
        "BackOffice", "Catalog", "Circulation", "Crypto", "Database", "Desk", "Downloads",
        "FrontDesk",
        "HTTP",
        "HTTPClient", "HTTPServer", "Items",
        "JSON", "Log", "Machine", "Membership", "MockKit", "MockSupport", "Notices",
        "OverDriveMock", "Phrasebook",
        "ProviderKit",
        "ReadingLists", "Registry", "Scanning", "Schedule", "Secrets", "Setup", "StoreSupport",
        "TextSafety", "Vault", "Wishes",
      ]),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "Adobe", "Archive", "Arguments", "Axis360", "BarcodeReading", "Barcodes",
        "BookWyrm", "CSV", "Circulation",
        "CloudLibrary", "Commands", "Compression", "Crypto", "Database", "Downloads", "EPUB",
        "Goodreads",
        "GoogleBooks", "Gutenberg", "HTTP", "HTTPClient", "HTTPServer", "HathiTrust", "Images",
        "JSON", "LCP", "LibraryDesk", "Machine", "Markup", "OPDS", "OPDSLibrary", "OpenLibrary",
        "OverDrive", "Pictures", "ProviderKit", "Reading", "Registry", "SIP2", "Safekeeping",
        "Secrets",
        "ShelfFiles", "Styles", "TestSupport", "Text", "XML", "Yaml", "Zip",
      ],
      path: "Tests/FuzzTests", swiftSettings: .test),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Axis360Mock", "Books", "Bootstrap", "TestSupport", "Circulation", "CloudLibraryMock",
        "Crypto",
        "Database", "Desk", "Downloads", "HTTP", "HTTPClient", "HTTPServer", "JSON", "Log",
        "Machine", "Membership", "MockKit", "OverDriveMock", "ProviderKit", "ReadingLists",
        "Registry", "Schedule", "Secrets", "Setup",
      ],
      path: "Tests/SimulationTests", swiftSettings: .test),
    .tests(
      "Commands",
      [
        "Arguments", "Console", "Crypto", "Items", "JSON", "Machine", "Metrics", "MockKit",
        "Setup", "TextSafety", "carrel", "carrel-book", "carrel-gateway", "carrel-picture",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "AppSupport", "Arguments", "Barcodes", "BrowserSupport", "Circulation", "Commands",
        "Crypto", "HTTP", "HTTPClient", "Images", "JSON", "JourneySupport", "Metrics", "MockKit",
        "OPDS", "Setup", "TestSupport",
        "carrel", "carrel-book", "carrel-gateway", "carrel-mock", "carrel-picture",
      ],
      path: "Tests/EndToEnd", exclude: ["supervise.py"], swiftSettings: .test),
    // Attacks on the programs that ship, over real sockets: one file for each attacker.
    .testTarget(
      name: "SecurityTests",
      dependencies: [
        "AppSupport", "Crypto", "HTTP", "HTTPClient", "Images", "JSON", "JourneySupport", "MockKit",
        "OPDS", "TestSupport", "carrel", "carrel-book", "carrel-gateway", "carrel-mock",
        "carrel-picture",
      ],
      path: "Tests/Security", swiftSettings: .test),
    // Compiles its fixture itself.
    .testTarget(
      name: "ToolchainTests", dependencies: ["TestSupport"], path: "Tests/ToolchainTests",
      exclude: ["Fixtures"], swiftSettings: .test),
    .testTarget(
      name: "ArchitectureTests", dependencies: ["TestSupport"], path: "Tests/Architecture",
      swiftSettings: .test),
  ]
)

// scripts/test names the test targets to build, or `all` of them, and builds the programs that tests start
// by itself. Benchmarks and programs are then left out.
if let names = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  let programs = Set(package.targets.filter { $0.type == .executable }.map(\.name))
  package.products = []
  package.targets.removeAll { target in
    programs.contains(target.name)
      || target.type == .test && names != ["all"] && !names.contains(target.name)
  }
  for target in package.targets {
    target.dependencies.removeAll { dependency in
      guard case .byNameItem(let name, _) = dependency else { return false }
      return programs.contains(name)
    }
  }
}

// scripts/programs builds the five programs at once, which keeps both cores busy until the end.
if Context.environment["PROGRAMS_ONLY"] != nil {
  package.targets.removeAll { target in
    ["Tests/", "Bench/"].contains { target.path?.hasPrefix($0) == true } || target.type == .test
  }
}

extension [SwiftSetting] {
  static var strict: [SwiftSetting] {
    [
      // LLVM's dead store elimination forgets stores to an async function's result: see
      // docs/explanation/optimizer-fault.md. A limit of 0 turns that search off.
      .unsafeFlags(["-Xllvm", "-dse-memoryssa-scanlimit=0"]),
      // The linker drops functions that nothing calls only where each has a section of its own.
      .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
      .swiftLanguageMode(.v6),
      .strictMemorySafety(),
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
  }

  /// For tests, which ship nowhere: the optimizer of Swift 6.3.1 crashes on one of them.
  static var test: [SwiftSetting] {
    strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
  }

  /// For what runs once a request or a command and is much code: small rather than quick.
  static var small: [SwiftSetting] {
    strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]
  }

  /// For what turns bytes over and over, also in a build that is not for release: it is there that tests
  /// wait for the processor. Optimised as a whole, which is done sooner than file by file, and better.
  static var quick: [SwiftSetting] {
    strict + [
      .unsafeFlags(
        ["-O", "-whole-module-optimization", "-disable-batch-mode", "-num-threads", "2"],
        .when(configuration: .debug))
    ]
  }
}

extension [LinkerSetting] {
  /// Smaller programs: no table of symbols for libraries that
  /// would be loaded at run time, and relocations in the short form that glibc 2.36 reads.
  static var small: [LinkerSetting] {
    [
      .unsafeFlags(
        [
          "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-z", "-Xlinker",
          "pack-relative-relocs",
        ], .when(configuration: .release))
    ]
  }
}

extension Target {
  static func clibrary(_ name: String, pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(
      name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
  }

  static func bench(_ name: String, _ uses: [Target.Dependency]) -> Target {
    .executableTarget(
      name: "bench-\(name.lowercased())", dependencies: uses, path: "Bench/\(name)",
      swiftSettings: .strict)
  }

  static func platform(
    _ name: String, _ uses: [Target.Dependency] = [], exclude: [String] = []
  ) -> Target {
    layer("Platform", name, uses, exclude: exclude, .quick)
  }

  static func domain(
    _ name: String, _ uses: [Target.Dependency] = [], exclude: [String] = [],
    _ settings: [SwiftSetting] = .quick
  ) -> Target {
    layer("Domain", name, uses, exclude: exclude, settings)
  }

  static func service(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    // These two compare every edition with many others.
    layer("Services", name, uses, ["Catalog", "Matching"].contains(name) ? .strict : .small)
  }

  static func provider(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    // The records of Gutenberg are read by the ten thousand.
    .target(
      name: name, dependencies: uses, path: "Providers/\(name)", exclude: ["README.md", "Tests"],
      swiftSettings: name == "Gutenberg" ? .strict : .small)
  }

  static func surface(
    _ name: String, _ uses: [Target.Dependency] = [], exclude: [String] = []
  ) -> Target {
    layer("Surfaces", name, uses, exclude: exclude, .small)
  }

  static func app(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    layer("App", name, uses, .small)
  }

  static func program(_ name: String, _ uses: [Target.Dependency]) -> Target {
    .executableTarget(
      name: name, dependencies: uses, path: "Sources/App/\(name)", swiftSettings: .strict,
      linkerSettings: .small)
  }

  static func layer(
    _ layer: String, _ name: String, _ uses: [Target.Dependency], exclude: [String] = [],
    _ settings: [SwiftSetting]
  ) -> Target {
    .target(
      name: name, dependencies: uses, path: "Sources/\(layer)/\(name)", exclude: exclude,
      swiftSettings: settings)
  }

  static func mock(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: uses, path: "Mocks/\(name)", swiftSettings: .small)
  }

  static func mockTests(
    _ name: String, _ uses: [Target.Dependency] = [], exclude: [String] = ["Fixtures"]
  ) -> Target {
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.byName(name: name), "MockSupport", "TestSupport"] + uses,
      path: "Tests/\(name)Tests", exclude: exclude, swiftSettings: .test)
  }

  /// With all that binds a provider to the contract: its mock, and the promises.
  static func providerTests(
    _ name: String, _ uses: [Target.Dependency] = [], playedBy mock: Target.Dependency
  ) -> Target {
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.byName(name: name), "TestSupport", "Conformance", mock] + uses,
      path: "Providers/\(name)/Tests", swiftSettings: .test)
  }

  static func tests(_ name: String, _ uses: [Target.Dependency] = []) -> Target {
    .testTarget(
      name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + uses,
      path: "Tests/\(name)Tests", swiftSettings: .test)
  }
}

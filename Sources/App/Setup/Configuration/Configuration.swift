package import Shelving

/// What the program was told, checked and complete. It is read once, and nothing reads a setting
/// from anywhere else.
package struct Configuration: Sendable {
  package struct Server: Sendable, Hashable {
    package let listen: [String]
    package let port: Int
    package let unixSocket: String?
    /// Without a slash at its end.
    package let publicURL: String?
    package let trustedProxies: [String]
    package let maxHeaderSize: Int
    package let maxBodySize: Int
    package let headerTimeout: Duration
    package let requestTimeout: Duration
    package let idleTimeout: Duration
    package let shutdownGrace: Duration
    package let connectionsPerAddress: Int
    package let connections: Int
    /// Zero stands for one loop a core.
    package let loops: Int

    /// For the database, libraries that are contacted, and books that are sent.
    package static let filesBesideConnections = 256
    /// How many files the gateway may have to open at a time.
    package var wantedFiles: Int { connections + Self.filesBesideConnections }
  }

  package struct Database: Sendable, Hashable {
    /// Nil for a SQLite file in the data folder.
    package let url: String?
    package let passwordFile: String?
    /// From when on a statement is slow; zero for never.
    package let slowAfter: Duration
    /// A standby for reads that may be a little old.
    package let replica: String?
    package let replicaLag: Duration
  }

  package struct Audit: Sendable, Hashable {
    /// Nil for all.
    package let months: Int?
  }

  package struct Metrics: Sendable, Hashable {
    /// Address and port; nil where there is no listener for it alone.
    package let listen: String?
    package let tokenFile: String?
  }

  package struct Catalog: Sendable, Hashable {
    package let askAfter: Duration
    package let patience: Duration
    package let paper: Paper

    package enum Paper: String, Sendable, Hashable, CaseIterable { case otherwise, always }
  }

  package struct Office: Sendable, Hashable {
    package enum Codes: String, Sendable, Hashable, CaseIterable { case offered, demanded }

    package let codes: Codes
  }

  package struct Schedule: Sendable, Hashable {
    package let syncEvery: Duration
    package let harvestEvery: Duration
    package let listsEvery: Duration
  }

  package struct HTTP: Sendable, Hashable {
    package let contact: String?
    package let proxy: String?
    package let caFile: String?
    package let allowHosts: [String]
    package let patronHosts: [String]
    package let connectTimeout: Duration
    package let deadline: Duration
  }

  package struct Covers: Sendable, Hashable {
    /// In bytes.
    package let cacheSize: Int
  }

  package struct Downloads: Sendable, Hashable {
    package let atOnce: Int
    package let perLibrary: Int
    /// In bytes.
    package let budget: Int
  }

  package struct Scanner: Sendable, Hashable {
    /// A path, or a host and a port; nil where nobody looks.
    package let address: String?
    package let isRequired: Bool
    package let deadline: Duration
    /// In bytes.
    package let largest: Int
  }

  package struct LCP: Sendable, Hashable {
    package let rootsFile: String?
    package let revokedFile: String?
    /// Where that list is fetched; the file may not be there yet.
    package let revokedURL: String?
  }

  package struct OPDS: Sendable, Hashable {
    package let isPublic: Bool
    package let title: String
    /// In bytes.
    package let memory: Int
  }

  package struct Adobe: Sendable, Hashable {
    /// Nil where no library of this gateway's own has locked books.
    package let vendor: String?
    /// Twelve digits; nil where somebody else is the vendor.
    package let node: String?
  }

  package struct Log: Sendable, Hashable {
    package enum Level: String, Sendable, CaseIterable { case error, warn, info, debug }
    package enum Format: String, Sendable, CaseIterable { case logfmt, json }

    package let level: Level
    package let format: Format
  }

  package struct Lanes: Sendable, Hashable {
    /// Nil for the file beside the settings, or for what is built in.
    package let file: String?
    package var shown = Lane.defaults
    /// Where their file is, or would be; nil where no settings file says so.
    package var place: String?
  }

  package struct Paths: Sendable, Hashable {
    package let data: String?
    package let state: String?
    package let cache: String?
  }

  package struct Vault: Sendable, Hashable {
    /// Where the key that seals all other keys comes from.
    package enum Source: String, Sendable, CaseIterable {
      case keyFile = "key-file"
      case passphrase
      case service
    }

    package let source: Source
    /// Nil for a file in the data folder.
    package let keyFile: String?
    package let passphraseFile: String?
  }

  /// Nil in `Configuration` when no mail server is named.
  package struct Mail: Sendable, Hashable {
    package enum Security: String, Sendable, CaseIterable { case starttls, tls, none }

    package let server: String
    package let port: Int
    package let security: Security
    package let from: String
    package let username: String?
    package let passwordFile: String?
  }

  package struct Notices: Sendable, Hashable {
    package let loanDue: Duration
    package let offerEnds: Duration
    package let syncBroken: Duration
    package let smsMail: String?
    package let smsURL: String?
    package let smsBody: String
    package let smsKeyFile: String?
    package let smsPerDay: Int
  }

  package struct Wishes: Sendable, Hashable {
    package let askEvery: Duration
    /// Questions a day for each hundred wishes.
    package let budget: Int
    package let askAtLeast: Duration
    package let settle: Duration
  }

  package let server: Server
  package let database: Database
  package let audit: Audit
  package let metrics: Metrics
  package let catalog: Catalog
  package let schedule: Schedule
  package let office: Office
  package let http: HTTP
  package let covers: Covers
  package let downloads: Downloads
  package let scanner: Scanner
  package let lcp: LCP
  package let opds: OPDS
  package let adobe: Adobe
  package let log: Log
  package var lanes: Lanes
  package let paths: Paths
  package let mail: Mail?
  package let notices: Notices
  package let wishes: Wishes
  package let vault: Vault
  /// In the order of the files, the user's before the system's; a name counts once.
  package let libraries: [LibrarySettings]
  /// Sets of addresses that a library may name, besides those that are built in.
  package let endpoints: EndpointsFile
  /// Each setting with where its value came from, in the order of the manual.
  package let resolved: [ResolvedSetting]
  /// Faults that do not stop a start: each disables one library, or a part of it.
  package let faults: [ConfigurationFault]
  /// What is odd, but no reason to refuse.
  package let warnings: [String]
}

/// A setting's value and its origin, for `config show`.
package struct ResolvedSetting: Sendable {
  package enum Origin: Sendable, Hashable {
    case builtIn
    case file(String, line: Int)
    case variable(String)
    case flag(String)

    package var description: String {
      switch self {
      case .builtIn: "default"
      case .file(let path, let line): "\(path):\(line)"
      case .variable(let name): name
      case .flag(let name): name
      }
    }
  }

  package let spec: SettingSpec
  package let texts: [String]
  package let origin: Origin

  /// The value as anyone may see it; nil when unset.
  package var shown: String? {
    let texts = spec.shown(texts)
    if spec.isList { return "[" + texts.map(ExampleFile.scalar).joined(separator: ", ") + "]" }
    return texts.last
  }
}

import Arguments

/// Every setting there is, in the order of the manual.
package enum Settings {
  package static let sections: [(name: String, summary: String)] = [
    ("server", "What the gateway listens on, and how much it takes from whom."),
    ("database", "Where the gateway keeps what it knows."),
    ("vault", "How cards, PINs and tokens are sealed."),
    ("audit", "How long it is kept who did what here."),
    ("catalog", "How fresh a list of titles is before it is shown."),
    ("schedule", "What the running gateway does by itself, and how often."),
    ("http", "How the gateway speaks to libraries and services."),
    ("covers", "Pictures of books, fetched when somebody looks."),
    ("downloads", "Books that were downloaded."),
    ("scanner", "Who looks for malware in them."),
    ("lcp", "Books locked with Readium LCP."),
    ("lanes", "The shelves of books that readers browse."),
    ("opds", "The catalogue for reading apps, under /opds."),
    ("adobe", "Who activates Adobe's programs for readers of libraries that are your own."),
    ("log", "What is written to the log, and how."),
    ("paths", "Where files are kept. The flag --home sets them all at once."),
    ("mail", "The mail server that notices go through."),
    ("notices", "When readers are told what, and how short messages go out."),
    ("office", "The pages of those who look after the gateway."),
    ("metrics", "What monitoring may read, at /metrics."),
    ("wishes", "How closely libraries are watched for what readers wish for."),
  ]

  package static let all: [SettingSpec] =
    Server.all + Database.all + Vault.all + Audit.all + Catalog.all + Schedule.all + HTTP.all
    + Covers.all
    + Downloads.all + Scanner.all + LCP.all + Lanes.all + OPDS.all + Adobe.all + Log.all + Paths.all
    + Mail.all
    + Notices.all + Office.all
    + Metrics.all + Wishes.all

  enum Server {
    static let listen = Setting(
      list: "server.listen", .address, default: ["127.0.0.1"],
      "Addresses to listen on.",
      why: "The default is heard on this machine only. Add 0.0.0.0 or :: when other machines "
        + "connect directly, without a reverse proxy in between.")
    static let port = Setting(
      "server.port", .integer(0...65535), default: "8080",
      "The port to listen on; 0 takes any free one and prints it.",
      why: "When something else uses the port.")
    static let unixSocket = Setting(
      optional: "server.unix_socket", .socketPath, example: "/run/carrel/http.sock",
      "A Unix socket to listen on besides the addresses.",
      why: "A reverse proxy on the same machine reaches it without any port.")
    static let publicURL = Setting(
      optional: "server.public_url", .webAddress, example: "https://books.example.org/carrel",
      "The address readers use, with its path if it has one.",
      why: "Behind a reverse proxy every link, feed, cookie and mail must name the outside "
        + "address; it wins over whatever headers say.")
    static let trustedProxies = Setting(
      list: "server.trusted_proxies", .addressRange, default: [],
      example: ["127.0.0.1", "10.0.0.0/8"],
      "Reverse proxies whose Forwarded and X-Forwarded-* headers count.",
      why: "Without it all readers behind a proxy share one address, and one limit. Never add "
        + "addresses that strangers can send from.")
    static let maxHeaderSize = Setting(
      "server.max_header_size", .size("1KiB", "1MiB"), default: "32KiB",
      "The largest request head that is read.",
      why: "Raise it only when a proxy in front adds very long headers.")
    static let maxBodySize = Setting(
      "server.max_body_size", .size("1KiB", "1GiB"), default: "16MiB",
      "The largest upload that is read, such as the photograph of a card.",
      why: "Lower it on a machine with little memory. Forms are held to 64 KiB in any case.")
    static let headerTimeout = Setting(
      "server.header_timeout", .time("1s", "5m"), default: "10s",
      "How long a client may take to send its request head.",
      why: "Lower it under attack by clients that send slowly on purpose.")
    static let requestTimeout = Setting(
      "server.request_timeout", .time("1s", "1h"), default: "60s",
      "How long one request may take from first to last byte read.",
      why: "Raise it for readers who upload over slow lines.")
    static let idleTimeout = Setting(
      "server.idle_timeout", .time("1s", "1h"), default: "75s",
      "How long a quiet connection is kept open for its next request.",
      why: "A proxy in front should close idle connections first: keep this longer than its own.")
    static let shutdownGrace = Setting(
      "server.shutdown_grace", .time("0", "10m"), default: "20s",
      "How long requests may still run after the order to stop.",
      why: "Match it to the patience of what supervises the service.")
    static let connectionsPerAddress = Setting(
      "server.connections_per_address", .integer(1...100_000), default: "64",
      "Connections open at a time from one address.",
      why: "Raise it where many readers share an address, as in a school.")
    static let connections = Setting(
      "server.connections", .integer(1...1_000_000), default: "4096",
      "Connections open at a time in all.",
      why: "Lower it on a machine with little memory or a low limit of open files.")
    static let loops = Setting(
      "server.loops", .integer(0...256), default: "0",
      "Event loops that answer requests; 0 takes one for each core.",
      why: "Set 1 to leave the other cores to other programs.")

    static let all: [SettingSpec] = [
      listen.spec, port.spec, unixSocket.spec, publicURL.spec, trustedProxies.spec,
      maxHeaderSize.spec, maxBodySize.spec, headerTimeout.spec, requestTimeout.spec,
      idleTimeout.spec, shutdownGrace.spec, connectionsPerAddress.spec, connections.spec,
      loops.spec,
    ]
  }

  enum Database {
    static let url = Setting(
      optional: "database.url", .databaseAddress,
      example: "postgres://carrel@db.example.org/carrel",
      "The database; unset, a SQLite file in the data folder.",
      why: "Several gateways can share one PostgreSQL database; one machine does well with SQLite.",
      secrecy: .passwordInside)
    static let passwordFile = Setting(
      optional: "database.password_file", .path, example: "/etc/carrel/database-password",
      "A file that holds the password of the database.",
      why: "A password in database.url can be read by everyone who may read this file.")
    static let replica = Setting(
      optional: "database.replica", .databaseAddress,
      example: "postgres://carrel@standby.example.org/carrel",
      "A standby of the database, which lanes and searches are read from.",
      why: "It takes reading off the server; where it is away or late, the server is asked.",
      secrecy: .passwordInside)
    static let replicaLag = Setting(
      "database.replica_lag", .time("1s", "10m"), default: "5s",
      "How far behind the standby may be to be read from.",
      why: "Raise it where catalogues change seldom and the standby is far away.")

    static let all: [SettingSpec] = [
      url.spec, passwordFile.spec, slowAfter.spec, replica.spec, replicaLag.spec,
    ]
  }

  enum Vault {
    static let source = Setting(
      "vault.source", .choice("SOURCE") as Kind<Configuration.Vault.Source>, default: "key-file",
      "Where the key comes from that seals all secrets.",
      why: "Set passphrase to be asked for one; set service where systemd hands over the "
        + "credential vault.key.")
    static let keyFile = Setting(
      optional: "vault.key_file", .path, example: "/etc/carrel/vault.key",
      "The key file; unset, vault.key in the data folder, made when it is first needed.",
      why: "Keep it apart from the data, so that no backup holds both.")
    static let passphraseFile = Setting(
      optional: "vault.passphrase_file", .path, example: "/run/user/1000/carrel-passphrase",
      "A file that holds the passphrase, for vault.source passphrase.",
      why: "Where nobody sits at a keyboard to type it.")

    static let all: [SettingSpec] = [source.spec, keyFile.spec, passphraseFile.spec]
  }

  enum Catalog {
    static let askAfter = Setting(
      "catalog.ask_after", .time("0", "1d"), default: "5m",
      "How old word of a title's copies may be before a list of titles asks its library again.",
      why:
        "Lower it where titles go fast; raise it for a library that limits how often it is asked.")
    static let patience = Setting(
      "catalog.patience", .time("100ms", "1m"), default: "2s",
      "How long a list of titles waits for those answers; what comes later is not waited for.",
      why: "Raise it for libraries that answer slowly; readers wait for it.")
    static let paper = Setting(
      "catalog.paper", .choice("RULE") as Kind<Configuration.Catalog.Paper>, default: "otherwise",
      "When copies on paper are offered: always, or where a title can be had as no file.",
      why: "always, where readers like to fetch a book today that they would wait for on a screen.")

    static let all: [SettingSpec] = [askAfter.spec, patience.spec, paper.spec]
  }

  enum HTTP {
    static let contact = Setting(
      optional: "http.contact", .line, example: "librarian@example.org",
      "Who to write to about this gateway; sent with every request in the User-Agent.",
      why: "Services block clients they cannot reach; a few ask for an address outright.")
    static let proxy = Setting(
      optional: "http.proxy", .proxyAddress, example: "http://proxy.example.org:3128",
      "A proxy for all outgoing requests.",
      why: "Where the network lets nothing out directly. Unset, HTTPS_PROXY, HTTP_PROXY and "
        + "NO_PROXY count. The proxy looks names up, so it has to refuse private networks itself.")
    static let caFile = Setting(
      optional: "http.ca_file", .path, example: "/etc/ssl/certs/library-ca.pem",
      "Certificates to trust besides those of the system.",
      why: "A library's own server may have a certificate that only the library has signed.")
    static let allowHosts = Setting(
      list: "http.allow_hosts", .destination, default: [],
      example: ["ils.library.example", "10.1.0.0/16"],
      "Hosts and ranges that libraries of these settings may have although they are private.",
      why: "What libraries link to reaches private networks only there. Addresses that patrons "
        + "give have http.patron_hosts.")
    static let patronHosts = Setting(
      list: "http.patron_hosts", .destination, default: [],
      example: ["books.home.example:8080", "ntfy.example.org"],
      "Hosts that addresses given by patrons may have although they are private or without https.",
      why: "A catalog at home, an ntfy server of your own. Name host and port: in a range, "
        + "patrons can look around.")
    static let connectTimeout = Setting(
      "http.connect_timeout", .time("100ms", "1m"), default: "5s",
      "How long to wait for a connection.",
      why: "Raise it on lines with long delays.")
    static let deadline = Setting(
      "http.deadline", .time("1s", "10m"), default: "10s",
      "How long one call to a library or service may take.",
      why: "Readers wait for it. Raise it for a library whose server is known to be slow.")

    static let all: [SettingSpec] = [
      contact.spec, proxy.spec, caFile.spec, allowHosts.spec, patronHosts.spec,
      connectTimeout.spec, deadline.spec,
    ]
  }

  enum Covers {
    static let cacheSize = Setting(
      "covers.cache_size", .size("1MiB", "100GiB"), default: "256MiB",
      "How much room covers may take in the cache folder.",
      why:
        "A cover takes about 100 KiB in both its sizes; those not looked at for longest go first.")

    static let all: [SettingSpec] = [cacheSize.spec]
  }

  enum Downloads {
    static let atOnce = Setting(
      "downloads.at_once", .integer(1...64), default: "2",
      "How many books are downloaded at the same time, by all gateways together.",
      why: "Raise it on a fast line with many readers.")
    static let perLibrary = Setting(
      "downloads.per_library", .integer(1...64), default: "2",
      "How many of them may come from one library.",
      why: "Lower it for a library that asks to be treated gently.")
    static let budget = Setting(
      "downloads.budget", .size("1MiB", "100000GiB"), default: "20GiB",
      "How much room downloaded books may take.",
      why:
        "Files of loans and what is free for everybody stay as long as they fit; a download that "
        + "does not fit is refused.")

    static let all: [SettingSpec] = [atOnce.spec, perLibrary.spec, budget.spec]
  }

  enum OPDS {
    static let isPublic = Setting(
      "opds.public", .truth, default: "false",
      "Whether strangers may look through the catalogue without signing in.",
      why: "A library that shows its catalogue to everybody sets true; borrowing needs a card "
        + "all the same.")
    static let title = Setting(
      "opds.title", .line, default: "All libraries",
      "What the catalogue is called in reading apps.",
      why: "Readers with several catalogues tell them apart by it.")
    static let memory = Setting(
      "opds.memory", .size("1MiB", "16GiB"), default: "64MiB",
      "How much memory pages may take that are written and kept.",
      why: "Raise it where many readers browse large catalogues.")

    static let all: [SettingSpec] = [isPublic.spec, title.spec, memory.spec]
  }

  enum Log {
    static let level = Setting(
      "log.level", .choice("LEVEL") as Kind<Configuration.Log.Level>, default: "info",
      "The least important events that are written.",
      why: "Set debug while looking for a fault. Titles and cards are never written at info.")
    static let format = Setting(
      "log.format", .choice("FORMAT") as Kind<Configuration.Log.Format>, default: "logfmt",
      "How an event is written.",
      why: "Set json when a log collector reads it.")

    static let all: [SettingSpec] = [level.spec, format.spec]
  }

  enum Lanes {
    static let file = Setting(
      optional: "lanes.file", .path, example: "/etc/carrel/lanes.yaml",
      "The file of lanes; unset, lanes.yaml beside this file, or the lanes that are built in.",
      why: "Several settings files can share one file of lanes.")

    static let all: [SettingSpec] = [file.spec]
  }

  enum Paths {
    static let data = Setting(
      optional: "paths.data", .path, example: "/var/lib/carrel",
      "The folder of what must not be lost; unset, as XDG_DATA_HOME says.",
      why: "A service keeps its data outside any home folder.")
    static let state = Setting(
      optional: "paths.state", .path, example: "/var/lib/carrel/state",
      "The folder of logs and traces; unset, as XDG_STATE_HOME says.",
      why: "As for paths.data.")
    static let cache = Setting(
      optional: "paths.cache", .path, example: "/var/cache/carrel",
      "The folder of what can be fetched again; unset, as XDG_CACHE_HOME says.",
      why: "Covers and feeds fill it: put it on a disk with room.")

    static let all: [SettingSpec] = [data.spec, state.spec, cache.spec]
  }
}

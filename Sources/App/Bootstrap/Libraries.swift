import Compression
import Crypto
import Database
import HTTPClient
import HTTPServer
import Setup
import XML
import Yaml

/// What the program runs with, as the libraries themselves tell it.
let linkedLibraries: [Engine.Library] = [
  Engine.Library("libcurl", curlVersion), Engine.Library("libevent", eventVersion),
  Engine.Library("libpq", libpqVersion), Engine.Library("libxml2", xmlVersion),
  Engine.Library("libyaml", yamlVersion), Engine.Library("llhttp", llhttpVersion),
  Engine.Library("openssl", openSSLVersion), Engine.Library("sqlite", sqliteVersion),
  Engine.Library("zlib", zlibVersion),
]

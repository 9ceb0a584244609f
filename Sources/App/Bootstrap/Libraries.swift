import Barcodes
import Compression
import Crypto
import Database
import HTTPClient
import HTTPServer
import Setup
import XML
import Yaml
import Zip

/// What the program runs with, as the libraries themselves tell it.
let linkedLibraries: [LinkedLibrary] = [
  LinkedLibrary("bzip2", bzip2Version), LinkedLibrary("libcurl", curlVersion),
  LinkedLibrary("libevent", eventVersion),
  LinkedLibrary("libpq", libpqVersion), LinkedLibrary("libxml2", xmlVersion),
  LinkedLibrary("libyaml", yamlVersion), LinkedLibrary("libzint", zintVersion),
  LinkedLibrary("libzip", zipVersion),
  LinkedLibrary("llhttp", llhttpVersion),
  LinkedLibrary("openssl", openSSLVersion), LinkedLibrary("sqlite", sqliteVersion),
  LinkedLibrary("zlib", zlibVersion),
]

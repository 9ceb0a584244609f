import Crypto
import Setup

/// What the program runs with, as the libraries themselves tell it.
let linkedLibraries: [Engine.Library] = [
  Engine.Library("openssl", openSSLVersion)
]

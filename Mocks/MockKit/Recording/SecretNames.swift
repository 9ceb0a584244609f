/// Which names of fields, headers, elements and parameters promise a secret.
package enum SecretNames {
  /// How much has to go. A journal of invented readers may name their cards; a recording of a real
  /// account may not.
  package enum Scope: Sendable { case journal, recording }

  package static func promise(_ name: String, in scope: Scope) -> Bool {
    let word = bare(name)
    guard !harmless.contains(word) else { return false }
    if secret.contains(word) || endings.contains(where: { word.hasSuffix($0) }) { return true }
    guard scope == .recording else { return false }
    // With a prefix in front where a patron's profile is told.
    return personal.contains(word) || word.hasSuffix("authorizationidentifier")
  }

  /// In queries and forms a `code` is one that opens an account; in documents it is a kind of error.
  package static func promiseInForm(_ name: String, in scope: Scope) -> Bool {
    let word = bare(name)
    return word == "code" || word == "codeverifier" || promise(name, in: scope)
  }

  /// `X-Access_Token` and `accessToken` are one word.
  private static func bare(_ name: String) -> String {
    String(decoding: name.lowercased().utf8.filter(Sign.isAlphanumeric), as: UTF8.self)
  }

  /// Words that end as secrets do and name something else.
  private static let harmless: Set<String> = [
    "collectiontoken", "continuationtoken", "nexttoken", "pagetoken", "tokentype", "xmocktenant",
  ]
  private static let endings = [
    "password", "passwd", "secret", "token", "apikey", "authorization", "sessionid", "privatekey",
    "passphrase", "pin", "signature",
  ]
  private static let secret: Set<String> = [
    "pwd", "pass", "cookie", "setcookie", "bearer", "session", "sid", "jwt", "assertion",
    "clientassertion", "signature", "sig", "hmac", "accountkey", "patronpin", "xapikey",
    "jsessionid",
  ]
  private static let personal: Set<String> = [
    "username", "user", "login", "loginid", "userid", "userlogin", "card", "cardno", "cardnumber",
    "cardid", "librarycard", "barcode", "patronbarcode", "patron", "patronid", "patronidentifier",
    "clientid", "clientkey", "email", "emailaddress", "mail", "phone", "phonenumber", "firstname",
    "lastname", "fullname", "patronname", "birthdate", "dateofbirth",
  ]
}

/// Bytes by what they may stand in.
enum Sign {
  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  /// As tokens, card numbers and names of fields are written.
  static func isWord(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == 0x2D || byte == 0x5F }
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
}

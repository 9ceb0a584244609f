import Arguments

extension Settings {
  enum LCP {
    static let rootsFile = Setting(
      optional: "lcp.roots_file", .path, example: "/etc/carrel/lcp-roots.pem",
      "Certificates, as PEM, of those who vouch for lenders of locked books.",
      why: "A licence is trusted only when one of these signed its lender's certificate; without "
        + "the file, locked books are handed on to certified apps and opened by none of ours.")
    static let revokedFile = Setting(
      optional: "lcp.revoked_file", .path, example: "/var/lib/carrel/lcp-revoked.crl",
      "The list of certificates that a root has taken back, as DER or PEM.",
      why: "Fetch it now and then from where the root says, or let the gateway do that by "
        + "lcp.revoked_url; an old list does no harm, and lenders on it are no longer trusted.")
    static let revokedURL = Setting(
      optional: "lcp.revoked_url", .webAddress, example: "https://crl.example.org/lcp.crl",
      "Where the gateway fetches that list once a day; it is kept in lcp.revoked_file.",
      why: "Taken only when one of the roots signed it. A failure is logged and stops no reading.")

    static let all: [SettingSpec] = [rootsFile.spec, revokedFile.spec, revokedURL.spec]
  }
}

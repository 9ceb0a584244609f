import CCurl

/// The library that does the work, for `version`: as linked, since Debian may bring a newer one.
package let curlVersion = curl.version

/// Whether that library was built with HTTP/2; without it every transfer is HTTP/1.1.
package let curlSpeaksHTTP2 = curl.speaksHTTP2

/// The file of the authorities that are believed where nothing else is said. That it is missing shows with
/// the first request only, as error 77.
package let curlAuthorities = curl.authorities

// Asked once: libcurl fills in its answer anew with every call, for all threads in one place.
private let curl: (version: String, speaksHTTP2: Bool, authorities: String?) = {
  // Debian's libcurl knows this edition of the answer and always has one to give.
  let answer = unsafe curl_version_info(CURLVERSION_SEVENTH).pointee
  let authorities = unsafe answer.cainfo.map { unsafe String(cString: $0) }
  return unsafe (
    String(cString: answer.version), answer.features & CURL_VERSION_HTTP2 != 0, authorities
  )
}()

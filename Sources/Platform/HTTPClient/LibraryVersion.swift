import CCurl

/// The library that does the work, for `version`: as linked, since Debian may bring a newer one.
package let curlVersion = curl.version

/// Whether that library was built with HTTP/2; without it every transfer is HTTP/1.1.
package let curlSpeaksHTTP2 = curl.speaksHTTP2

// Asked once: libcurl fills in its answer anew with every call, for all threads in one place.
private let curl: (version: String, speaksHTTP2: Bool) = {
  // The first edition of the answer has both, and libcurl always has one to give.
  let answer = unsafe curl_version_info(CURLVERSION_FIRST).pointee
  return unsafe (String(cString: answer.version), answer.features & CURL_VERSION_HTTP2 != 0)
}()

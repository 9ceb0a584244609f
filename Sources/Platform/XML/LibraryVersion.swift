import CXML2

/// The library that does the work, for `version`: as linked, since Debian may bring a newer one.
/// libxml2 says 20914 for 2.9.14, and a suffix where it was built from a checkout.
package let xmlVersion: String = {
  let answer = unsafe String(cString: carrel_xml_version())
  guard let number = Int(answer.prefix { $0.isNumber }) else { return answer }
  return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
}()

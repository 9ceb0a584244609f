import CZint

/// Of the libzint that runs, for `version` and bug reports.
package let zintVersion: String = {
  let number = ZBarcode_Version()
  return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
}()

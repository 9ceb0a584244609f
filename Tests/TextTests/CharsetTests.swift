import Testing
import Text

@Suite struct `Texts of line protocols` {
  @Test func `an accented letter has different bytes in each charset`() {
    #expect(Charset.codePage850.bytes(of: "CARRÉ") == [0x43, 0x41, 0x52, 0x52, 0x90])
    #expect(Charset.latin1.bytes(of: "É") == [0xC9])
    #expect(Charset.utf8.bytes(of: "É") == [0xC3, 0x89])
    #expect(Charset.ascii.bytes(of: "É") == nil)
  }

  @Test func `a letter with a separate accent is encoded as the composed letter`() {
    #expect(Charset.codePage850.bytes(of: "E\u{301}") == [0x90])
    #expect(Charset.latin1.bytes(of: "e\u{301}\u{301}") == nil)
  }

  @Test(arguments: [Charset.latin1, .codePage850])
  func `every byte of an 8-bit charset decodes to a letter and back`(charset: Charset) throws {
    for byte in UInt8.min...UInt8.max {
      let (text, isWhole) = charset.text(of: [byte])
      #expect(isWhole)
      #expect(charset.bytes(of: text) == [byte], "byte \(byte)")
    }
  }

  @Test func `Texts of line protocols code page 850 is what iconv has`() {
    // printf '\x80…\xff' | iconv -f CP850 -t UTF-8, a line of it.
    #expect(
      Charset.codePage850.text(of: [0x81, 0x84, 0x94, 0xE1, 0x9B, 0xD5, 0xFF]).text
        == "üäößøı\u{A0}")
  }

  @Test(arguments: [Charset.ascii, .utf8])
  func `bytes without meaning in a charset are replaced, and the loss is reported`(charset: Charset)
  {
    // MARC-8 writes the accent before its letter.
    let (text, isWhole) = charset.text(of: [0x41, 0xE2, 0x65])
    #expect(text == "A\u{FFFD}e")
    #expect(!isWhole)
  }

  @Test func `Texts of line protocols names of charsets are read as people write them`() {
    #expect(Charset(named: "CP-850") == .codePage850)
    #expect(Charset(named: "Latin-1") == .latin1)
    #expect(Charset(named: "iso_8859-1") == .latin1)
    #expect(Charset(named: "UTF-8") == .utf8)
    #expect(Charset(named: "marc8") == nil)
  }
}

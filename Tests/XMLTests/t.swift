import Markup
import Testing
@testable import XML

@Suite struct Scratch {
  @Test func a() throws {
    let d = try XMLDocument(Array("<?xml version='1.0'?><!DOCTYPE a [<!ELEMENT a ANY><!-- x ]> -->]><a xmlns='u' xmlns:p='v'>x &amp; y<p:b c='1' p:d='&lt;&#10;'/><![CDATA[<z>]]></a>".utf8))
    print(d.root)
    let r = try XMLDocument(Array("\n <?xml version='1.0'?><rss><title>A & B &nbsp; &foo; <br>x</title><a href='?a=1&b=2'>t</b></a><unclosed>\u{1}z".utf8), .recovering)
    print(r.root, r.warnings)
    let h = try HTMLDocument(text: "<p>a<b>b<p>c<script>x<y</script><ul><li>1<li>2</ul><svg><path d='m'/><p>out</svg>")
    print(h.content)
    print(String(decoding: HTMLWriter.fragment(AllowList.blurb.rebuild(h.content)), as: UTF8.self))
    for bad in ["<a><b></a>", "<a>", "", "<a b=c/>", "<a>&x;</a>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a b='1' b='2'/>", "<x:a/>", "<a/>x", "<a>\u{1}</a>", "<?xml version='1.0' encoding='latin9'?><a/>"] {
      do { print(bad, try XMLDocument(Array(bad.utf8)).root) } catch { print(bad, "→", error.reason, error) }
    }
  }
}

import HTTP
import HTTPServer

/// The one style of all pages. Served from memory under a name that changes with its content, so a
/// browser may keep it for ever.
enum Stylesheet {
  static let body = CachedBody(
    Array(text.utf8), .css,
    headers: ["Cache-Control": "public, max-age=31536000, immutable"])

  static let name: String = {
    let tag = body.etag.opaque.filter { $0.isLetter || $0.isNumber }
    return "carrel-\(tag).css"
  }()

  static let text = """
    :root {
      color-scheme: light dark;
      --paper: #fbfaf7; --ink: #23211d; --soft: #5d584f; --line: #dcd7cc; --accent: #8a3324;
      --on-accent: #ffffff; --card: #ffffff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #191816; --ink: #eae6dd; --soft: #aaa498; --line: #3a3732; --accent: #e39a86;
        --on-accent: #241411; --card: #22201d;
      }
    }
    @media (prefers-contrast: more) {
      :root { --soft: var(--ink); --line: var(--ink); }
    }
    * { box-sizing: border-box; }
    html { font: 100%/1.6 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif; }
    body {
      margin: 0; background: var(--paper); color: var(--ink);
      min-block-size: 100vh; display: flex; flex-direction: column;
      padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom)
        env(safe-area-inset-left);
    }
    header, main, footer { inline-size: min(100% - 2.5rem, 42rem); margin-inline: auto; }
    header { padding-block: 1.25rem; border-block-end: 1px solid var(--line); }
    main { flex: 1; padding-block: 2rem 3rem; }
    footer {
      padding-block: 1rem 1.5rem; border-block-start: 1px solid var(--line); color: var(--soft);
      font-size: .9rem;
    }
    footer p { margin: 0; }
    h1 { font-size: clamp(1.6rem, 5vw, 2.25rem); line-height: 1.2; margin-block: .5rem 1rem; }
    h2 { font-size: 1.2rem; margin-block: 2rem .75rem; }
    .lead { font-size: 1.125rem; color: var(--soft); max-inline-size: 34rem; }
    a { color: var(--accent); text-underline-offset: .2em; }
    a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 3px; }
    .brand {
      display: inline-block; min-block-size: 2.75rem; line-height: 2.75rem; font-size: 1.25rem;
      font-weight: 700; text-decoration: none; color: var(--ink); letter-spacing: .01em;
    }
    .brand::before { content: ""; display: inline-block; inline-size: .7em; block-size: .9em;
      margin-inline-end: .5em; border-radius: .1em .25em .25em .1em; background: var(--accent);
      vertical-align: -.05em; }
    .button {
      display: inline-block; min-block-size: 2.75rem; line-height: 2.75rem; padding-inline: 1.25rem;
      border-radius: .5rem; background: var(--accent); color: var(--on-accent);
      text-decoration: none; font-weight: 600;
    }
    .skip { position: absolute; inset-inline-start: 1rem; inset-block-start: -4rem;
      background: var(--card); padding: .5rem 1rem; z-index: 1; }
    .skip:focus { inset-block-start: 1rem; }
    .steps { margin: 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
      overflow: hidden; }
    .steps div { padding: .9rem 1.1rem; }
    .steps div + div { border-block-start: 1px solid var(--line); }
    .steps dt { font-size: 1rem; }
    .steps dd { margin: .15rem 0 0; color: var(--soft); }
    code { font: .95em/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
      overflow-wrap: anywhere; }
    @media print { header, footer, .skip { display: none; } body { background: #fff; } }
    """
}

extension Stylesheet {
  private static let darkColors = """
    --paper: #171614; --ink: #ece8df; --soft: #aea89c; --line: #37342f; --accent: #e8a08c;
    --accent-soft: #37231d; --on-accent: #2a120c; --card: #211f1c; --good: #9ccaa5;
    --shade: 0 1px 2px rgb(0 0 0 / .5), 0 6px 18px -8px rgb(0 0 0 / .7);
    """

  /// Colors, type, the frame of every page, and forms.
  static let groundStyle = """
    :root {
      color-scheme: light dark;
      --paper: #faf8f4; --ink: #211f1b; --soft: #615b51; --line: #e0dace; --accent: #8a3324;
      --accent-soft: #f3e4de; --on-accent: #ffffff; --card: #ffffff; --good: #2f5d3a;
      --shade: 0 1px 2px rgb(40 30 20 / .12), 0 6px 18px -8px rgb(40 30 20 / .28);
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
      --serif: Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, "DejaVu Serif", serif;
    }
    @media (prefers-color-scheme: dark) {
      :root:not([data-look=light]) { \(darkColors) }
    }
    :root[data-look=dark] { color-scheme: dark; \(darkColors) }
    :root[data-look=light] { color-scheme: light; }
    @media (prefers-contrast: more) {
      :root { --soft: var(--ink); --line: var(--ink); }
    }
    * { box-sizing: border-box; }
    html { font: 100%/1.5 var(--sans); -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--paper); color: var(--ink); min-block-size: 100vh;
      display: flex; flex-direction: column; overflow-wrap: break-word;
      padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom)
        env(safe-area-inset-left);
    }
    body > header, main, body > footer {
      inline-size: min(100% - 2rem, 76rem); margin-inline: auto;
    }
    main { flex: 1; padding-block: 1.25rem 3rem; min-inline-size: 0; }
    body > footer {
      padding-block: 1rem 1.5rem; border-block-start: 1px solid var(--line); color: var(--soft);
      font-size: .875rem;
    }
    body > footer p { margin: 0; }
    .foot { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin-inline: -.6rem; }
    .looks { display: flex; flex-wrap: wrap; }
    .looks [aria-pressed=true] { color: var(--accent); font-weight: 600; }
    .looks [aria-pressed=true]::before { content: "✓"; margin-inline-end: .35rem; }
    h1, h2, .title, .brand, .about { font-family: var(--serif); }
    h1 {
      font-size: clamp(1.6rem, 4.5vw, 2.2rem); line-height: 1.15; margin-block: .25rem .75rem;
      font-weight: 600; letter-spacing: -.01em; text-wrap: balance;
    }
    h2 { font-size: 1.2rem; line-height: 1.3; font-weight: 600; margin: 0; }
    p { margin-block: .5rem; }
    .lead {
      font-size: 1.0625rem; color: var(--soft); max-inline-size: 36rem; margin-block: 0 1rem;
    }
    .small, .count { font-size: .875rem; color: var(--soft); }
    a { color: var(--accent); text-underline-offset: .2em; }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
    :target, main :focus-visible { scroll-margin-block: 5rem; }
    .unseen {
      position: absolute; inline-size: 1px; block-size: 1px; margin: -1px; overflow: hidden;
      clip-path: inset(50%); white-space: nowrap;
    }
    .skip {
      position: absolute; inset-inline-start: 1rem; inset-block-start: -6rem; z-index: 1;
      background: var(--card); padding: .75rem 1rem; border-radius: .5rem;
    }
    .skip:focus { inset-block-start: .5rem; }

    body > header {
      display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem;
      padding-block: .6rem .75rem; border-block-end: 1px solid var(--line);
    }
    .brand {
      display: inline-flex; align-items: center; gap: .5rem; min-block-size: 2.75rem;
      font-size: 1.3rem; font-weight: 700; text-decoration: none; color: var(--ink);
    }
    .brand::before {
      content: ""; inline-size: .72em; block-size: .95em; background: var(--accent);
      border-radius: .1em .28em .28em .1em;
    }
    header nav {
      display: flex; flex-wrap: wrap; align-items: center; justify-content: end; gap: .25rem;
      margin-inline-start: auto;
    }
    header nav a, .plain {
      display: inline-flex; align-items: center; min-block-size: 2.75rem; padding-inline: .6rem;
      color: var(--ink); text-decoration: none; font-size: .9375rem; border-radius: .5rem;
      white-space: nowrap;
    }
    header nav a:hover, .plain:hover { background: var(--accent-soft); }
    header nav a[aria-current] { color: var(--accent); font-weight: 600; }
    .plain { border: 0; background: none; font: inherit; font-size: .9375rem; cursor: pointer; }
    @media (max-width: 26rem) {
      body > header { column-gap: .25rem; }
      header nav { gap: 0; }
      header nav a, .plain { padding-inline: .35rem; font-size: .875rem; }
    }
    .search { display: flex; flex: 1 1 100%; gap: .5rem; }
    @media (min-width: 46rem) {
      .search { flex: 1 1 20rem; order: 1; max-inline-size: 34rem; }
      header nav { order: 2; }
    }
    input:not([type=checkbox], [type=radio], [type=hidden]), select {
      inline-size: 100%; min-inline-size: 0; min-block-size: 2.75rem; padding: .5rem .9rem;
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft);
      border-radius: .6rem;
    }
    input::placeholder { color: var(--soft); opacity: 1; }
    input[aria-invalid=true] { border: 2px solid var(--accent); }
    input:is([type=checkbox], [type=radio]) { flex: none; inline-size: 1.25rem; block-size: 1.25rem; accent-color: var(--accent); }
    .search input { border-color: var(--line); border-radius: 2rem; }
    .button, .search button {
      display: inline-flex; align-items: center; justify-content: center; min-block-size: 2.75rem;
      padding: .4rem 1.25rem; border-radius: .6rem; border: 1px solid var(--accent);
      background: var(--accent); color: var(--on-accent); font: 600 1rem/1.2 var(--sans);
      text-decoration: none; cursor: pointer;
    }
    .search button {
      border-radius: 2rem; background: none; color: var(--accent); padding-inline: 1rem;
    }
    .button:hover { filter: brightness(1.08); }
    .second { background: none; color: var(--accent); border-color: var(--line); }
    .second:hover { background: var(--accent-soft); filter: none; }
    .notice {
      margin: 0 0 1.25rem; padding: .75rem 1rem; border-radius: .6rem; background: var(--card);
      border: 1px solid var(--line); border-inline-start: 4px solid var(--good);
    }
    .notice.alert, .notice.ready { border-inline-start-color: var(--accent); }
    .notice a { font-weight: 600; }
    .empty {
      padding: 1.5rem 1.25rem; border: 1px dashed var(--line); border-radius: .75rem;
      color: var(--soft); text-align: center; text-wrap: balance;
    }
    .door { max-inline-size: 25rem; margin: 4vh auto 0; }
    .field label { display: block; font-weight: 600; margin-block-end: .25rem; }
    .choice { display: flex; gap: .6rem; align-items: center; min-block-size: 2.75rem; }

    .steps { margin: 0; border: 1px solid var(--line); border-radius: .75rem;
      background: var(--card); overflow: hidden; }
    .steps div { padding: .9rem 1.1rem; }
    .steps div + div { border-block-start: 1px solid var(--line); }
    .steps dd { margin: .15rem 0 0; color: var(--soft); }
    code { font: .95em/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
      overflow-wrap: anywhere; }
    @media (prefers-reduced-motion: no-preference) {
      .book .cover { transition: transform .15s ease-out; }
      .book:hover .cover { transform: translateY(-3px); }
    }
    @media print {
      body > header, body > footer, .skip, .actions, .tools, .turns, .back, .asides, .choices,
      .ignore, .more { display: none; }
      body { background: #fff; color: #000; }
      .row { display: flex; flex-wrap: wrap; }
      .row li { inline-size: 7rem; }
      li { break-inside: avoid; }
    }

    """
}

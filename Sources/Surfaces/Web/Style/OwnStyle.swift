extension Stylesheet {
  /// A reader's own pages: cards, profile, settings, and the forms on them.
  static let ownStyle = """
    .own { max-inline-size: 46rem; }
    .tabs + .own { margin-block-start: 1.25rem; }
    .up { margin-block: 0; }
    .up a { display: inline-block; padding-block: .5rem; text-decoration: none; }
    .up a::before { content: "‹ "; }
    .tabs .leave { margin-inline-start: auto; color: var(--soft); }
    .tiles, .wallet {
      display: grid; gap: 1rem; margin-block: 1rem;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
    }
    .tiles > li, .wallet > li {
      padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .75rem;
      background: var(--card);
    }
    .tiles p { margin: .2rem 0 0; }
    .tiles h2 a { color: inherit; }
    .wallet > li {
      display: grid; gap: .35rem; justify-items: start;
      border-block-start: .4rem solid var(--accent);
    }
    .number {
      font: 600 1.25rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
      letter-spacing: .04em; overflow-wrap: anywhere; margin-block: .25rem;
    }
    .wallet .number { font-size: 1rem; color: var(--soft); }
    .bars {
      display: block; inline-size: 100%; max-inline-size: 26rem; block-size: 7rem; margin-block: 1rem;
      padding: 1rem; background: #fff; border-radius: .75rem; border: 1px solid var(--line);
    }
    .person { display: flex; gap: 1rem; align-items: center; margin-block: 1rem; }
    .person h1, .person p { margin: 0; overflow-wrap: anywhere; }
    .face {
      inline-size: 6rem; block-size: 6rem; flex: none; border-radius: 50%; object-fit: cover;
      display: grid; place-items: center; background: var(--accent-soft); color: var(--accent);
      font: 600 2.5rem/1 var(--serif);
    }
    .lines {
      margin-block: .75rem; border: 1px solid var(--line); border-radius: .75rem;
      background: var(--card);
    }
    .lines > li { padding: .75rem 1.1rem; }
    .lines > li + li { border-block-start: 1px solid var(--line); }
    .lines > li > a:first-child, .lines .title, .lines .small { display: block; }
    .lines > li > a:first-child { color: inherit; text-decoration: none; padding-block: .2rem; }
    .lines > li > a:first-child:hover .title { text-decoration: underline; }
    .lines > li > a + a { display: inline-block; padding-block: .4rem; }
    .lines form { margin-block-start: .5rem; }
    .lines .new .title::before { content: "● "; color: var(--accent); }
    .facts-of { margin-block: 1rem; }
    .facts-of div {
      display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: .25rem 1rem;
      padding-block: .35rem;
    }
    .facts-of dt { color: var(--soft); }
    .facts-of dd { margin: 0; }
    @media (max-width: 26rem) { .facts-of div { grid-template-columns: minmax(0, 1fr); gap: 0; } }
    .fields { display: grid; gap: 1rem; margin-block: 1rem; max-inline-size: 30rem; justify-items: start; }
    .fields > * { inline-size: 100%; }
    .fields > .button { inline-size: auto; }
    .field .small { margin-block: 0 .35rem; }
    .field input + .small { margin-block: .35rem 0; }
    .wrong { color: var(--accent); font-weight: 600; margin-block: .35rem 0; }
    .wrong::before { content: "⚠ "; }
    textarea, select {
      inline-size: 100%; padding: .6rem .9rem; font: inherit; color: inherit; background: var(--card);
      border: 1px solid var(--soft); border-radius: .6rem; min-block-size: 2.75rem;
    }
    textarea[aria-invalid=true] { border: 2px solid var(--accent); }
    input[type=radio] {
      inline-size: 1.25rem !important; block-size: 1.25rem; min-block-size: 0 !important;
      accent-color: var(--accent); flex: none; margin: 0;
    }
    input[type=checkbox] { flex: none; }
    fieldset {
      margin: 0; padding: .5rem 1rem .75rem; border: 1px solid var(--line); border-radius: .75rem;
      min-inline-size: 0;
    }
    legend { font-weight: 600; padding-inline: .35rem; }
    .boxes { columns: 13rem; }
    .boxes .choice { break-inside: avoid; }
    .pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
    .inline { display: flex; flex-wrap: wrap; gap: .5rem; margin-block: .5rem; }
    .inline select { inline-size: auto; max-inline-size: 100%; }
    .more-ways { margin-block: 1rem; }
    .more-ways summary {
      min-block-size: 2.75rem; display: flex; align-items: center; cursor: pointer;
      color: var(--accent); font-weight: 600;
    }
    .more-ways summary::before { content: "+"; inline-size: 1.5rem; }
    .more-ways[open] summary::before { content: "–"; }
    .once {
      padding: 1rem 1.1rem; border: 2px solid var(--accent); border-radius: .75rem;
      background: var(--card);
    }
    .square { display: block; inline-size: min(100%, 15rem); margin-block: .75rem; border-radius: .5rem; }
    .codes {
      display: grid; gap: .35rem 2rem; margin-block: .75rem; padding-inline-start: 0;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
    }
    .codes code { font-size: .9375rem; white-space: nowrap; }
    .credits { inline-size: 100%; border-collapse: collapse; }
    .credits th, .credits td {
      padding: .5rem .75rem .5rem 0; text-align: start; border-block-end: 1px solid var(--line);
      font-weight: 400; overflow-wrap: anywhere;
    }
    .credits thead th { color: var(--soft); font-size: .875rem; }

    """
}

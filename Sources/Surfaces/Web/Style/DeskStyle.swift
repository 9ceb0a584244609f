extension Stylesheet {
  /// What a reader does: choosing, downloading, telling others, being asked.
  static let deskStyle = """
    .back { margin: 0; font-size: .9375rem; }
    .back a { display: inline-flex; align-items: center; min-block-size: 2.25rem; text-decoration: none; }
    .back a::before { content: "‹"; margin-inline-end: .4rem; }
    .back a:dir(rtl)::before { content: "›"; }
    .row li { position: relative; }
    .corner {
      position: absolute; inset-block-start: .25rem; inset-inline-end: .25rem; font-size: 0;
      inline-size: 1.75rem; block-size: 1.75rem; display: grid; place-items: center;
      border-radius: 50%; background: rgb(20 18 16 / .72); color: #fff; text-decoration: none;
    }
    .corner::before { content: "×"; font: 1.15rem/1 var(--sans); }
    @media (hover: hover) {
      .corner { opacity: 0; }
      li:hover > .corner, li:focus-within > .corner, .corner:focus { opacity: 1; }
    }
    .lifted { z-index: 1; touch-action: none; }
    .lifted .cover { outline: 3px solid var(--accent); }
    .choices { display: flex; flex-wrap: wrap; padding-inline-start: 4.4rem; }
    .choices .plain { color: var(--soft); font-size: .875rem; }
    .choices [aria-pressed] { color: var(--accent); font-weight: 600; }
    @media (min-width: 52rem) { .choices { padding-inline-start: 5.4rem; } }
    .ask { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 1.5rem; max-inline-size: 44rem; }
    .ask h1 { font-size: 1.4rem; }
    div.notice { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; padding-block: .4rem; }
    div.notice .plain, .toast .plain { color: var(--accent); font-weight: 600; }

    .queue { display: grid; gap: .6rem; margin-block: .25rem 1.5rem; }
    .queue li {
      padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .75rem;
      background: var(--card);
    }
    .queue p { margin: 0; }
    .queue .actions { margin-block-start: .4rem; }
    .queue .button { font-size: .875rem; padding-inline: .9rem; min-block-size: 2.25rem; }
    progress {
      appearance: none; display: block; inline-size: 100%; block-size: .5rem; margin-block: .5rem .3rem;
      border: 0; border-radius: 1rem; background: var(--line); overflow: hidden; color: var(--accent);
    }
    progress::-webkit-progress-bar { background: var(--line); }
    progress::-webkit-progress-value { background: var(--accent); }
    progress::-moz-progress-bar { background: var(--accent); }

    .openers { margin-block-start: .3rem; }
    .openers li { all: unset; display: list-item; }
    .asides { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: start; margin-block: .5rem; }
    .asides details[open] { flex: 1 1 100%; }
    .asides summary, .asides .plain {
      display: inline-flex; align-items: center; min-block-size: 2.75rem; cursor: pointer;
      color: var(--accent); padding-inline: 0; font-size: .9375rem; gap: .4rem;
    }
    .asides summary::before { content: "▾"; color: var(--soft); }
    .asides [open] summary::before { content: "▴"; }
    .box {
      display: grid; gap: .9rem; justify-items: start; padding: 1rem 1.1rem; max-inline-size: 32rem;
      border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
    }
    .box .field { inline-size: 100%; }
    fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0; }
    legend { font-weight: 600; padding: 0; margin-block-end: .5rem; }

    dialog {
      border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem 1.5rem; color: inherit;
      background: var(--card); max-inline-size: min(30rem, 100% - 2rem); box-shadow: var(--shade);
    }
    dialog::backdrop { background: rgb(0 0 0 / .45); }
    dialog dl div { display: flex; gap: 1rem; align-items: center; padding-block: .25rem; }
    dialog dt { flex: 0 0 4.5rem; }
    dialog dd { margin: 0; }
    kbd {
      display: inline-block; min-inline-size: 1.75rem; padding: .1rem .4rem; margin-inline-end: .25rem;
      border: 1px solid var(--soft); border-radius: .35rem; font: inherit; text-align: center;
    }
    .toast {
      position: fixed; inset-block-end: max(1rem, env(safe-area-inset-bottom)); inset-inline: 1rem;
      inline-size: fit-content; max-inline-size: calc(100% - 2rem); margin-inline: auto; z-index: 2;
      display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; padding: .5rem 1.1rem;
      border: 1px solid var(--line); border-radius: .75rem; background: var(--card);
      box-shadow: var(--shade); min-block-size: 3rem;
    }

    """
}

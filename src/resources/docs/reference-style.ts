/** How the page at /redoc looks. */

export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --line: #d6d9de; --soft: #f4f5f7; --quiet: #5b6470; --accent: #1f5fbf; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a414b; --soft: #1d2127; --quiet: #a2abb7; --accent: #7fb0ff; }
  body { background: #14171b; color: #e6e8eb; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--accent); }
nav { position: fixed; inset: 0 auto 0 0; width: 19rem; padding: 1rem; overflow: auto; border-right: 1px solid var(--line); }
nav h2 { margin: 1rem 0 .25rem; font-size: 1rem; }
nav ul { margin: 0; padding: 0; list-style: none; font-size: .85rem; }
nav li { margin: .15rem 0; }
main { max-width: 62rem; margin-left: 19rem; padding: 1rem 2rem 4rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 .25rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
code, pre { font: .875em/1.45 ui-monospace, monospace; }
pre { padding: .75rem 1rem; overflow: auto; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
.method { display: inline-block; min-width: 4.2em; padding: 0 .4em; border-radius: 4px; background: var(--soft); border: 1px solid var(--line); font-weight: 600; text-align: center; }
.quiet { color: var(--quiet); }
ul.fields { margin: .25rem 0; padding-left: 1.25rem; }
@media (max-width: 60rem) {
  nav { position: static; width: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  main { margin-left: 0; padding: 1rem; }
}
`;

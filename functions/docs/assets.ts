/** The page's style: readable without script, in light and dark mode, on small and wide screens. */
export const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c2128, #dfe4ea); --dim: light-dark(#57606a, #9aa4af);
  --paper: light-dark(#ffffff, #14171b); --raised: light-dark(#f5f6f8, #1c2026); --line: light-dark(#d8dde3, #31373f);
  --link: light-dark(#0b57c2, #7db4ff); --get: light-dark(#0a6b3d, #5fd39a); --post: light-dark(#0b57c2, #7db4ff);
  --put: light-dark(#8a5300, #f0b458); --delete: light-dark(#b3261e, #ff8f87); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); color: var(--ink); background: var(--paper);
  font: 1rem/1.55 system-ui, "Segoe UI", sans-serif; }
a { color: var(--link); }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875em; }
p code, li code, td code { background: var(--raised); padding: .1em .3em; border-radius: .25em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem; z-index: 1; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line);
  background: var(--raised); font-size: .875rem; }
nav > details > summary { font-weight: 600; cursor: pointer; }
nav h2 { font-size: .8rem; margin: 1rem 0 .25rem; letter-spacing: .04em; text-transform: uppercase; }
nav h2 a { color: var(--dim); text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; align-items: baseline; gap: .5rem; padding: .2rem .25rem; border-radius: .25rem; color: inherit; text-decoration: none; }
nav li a:hover { background: var(--line); }
nav li span { overflow-wrap: anywhere; }
.filter { display: block; margin-top: .75rem; color: var(--dim); }
.filter input { width: 100%; padding: .35rem .5rem; font: inherit; color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: .35rem; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 6rem; max-width: 68rem; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--dim); }
header p { max-width: 46rem; }
.group > h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
.operation { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
.operation > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; padding: .5rem .75rem; cursor: pointer; }
.operation[open] > summary { border-bottom: 1px solid var(--line); background: var(--raised); border-radius: .5rem .5rem 0 0; }
.operation h3 { display: inline-flex; gap: .6rem; align-items: baseline; margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
.what { color: var(--dim); flex: 1 1 14rem; }
.permission { font-size: .8rem; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; white-space: nowrap; }
.method { flex: none; min-width: 4.6em; font-size: .72rem; letter-spacing: .03em; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.body { padding: .25rem 1rem 1rem; }
h4 { margin: 1.25rem 0 .4rem; font-size: .9rem; }
h4 small { font-weight: 400; color: var(--dim); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th { text-align: left; color: var(--dim); font-weight: 500; }
th, td { padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child { white-space: nowrap; }
.required { color: var(--delete); font-size: .75rem; }
.errors { list-style: none; padding: 0; font-size: .875rem; }
.errors b { display: inline-block; min-width: 3rem; }
.headers { margin-top: .5rem; font-size: .875rem; color: var(--dim); }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem; overflow-x: auto; margin: 0; }
[hidden] { display: none !important; }
@media (max-width: 52rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 60vh; border-right: 0; border-bottom: 1px solid var(--line); }
}
@media print { nav { display: none; } body { display: block; } }
`;

/** Optional script: the page's own URL in examples, links that open their target, and the filter. */
export const SCRIPT = `
document.getElementById("origin").textContent = location.origin;
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches("details")) { target.open = true; target.scrollIntoView(); }
};
addEventListener("hashchange", reveal);
reveal();
if (matchMedia("(max-width: 52rem)").matches) document.querySelector("nav > details").open = false;
const links = [...document.querySelectorAll("nav li")];
document.getElementById("filter").addEventListener("input", ({ target }) => {
  const words = target.value.toLowerCase().split(/\\s+/);
  for (const item of links) {
    const text = (item.textContent + " " + item.firstElementChild.title).toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
});
`;

/** Elements and classes that every view uses. */
export const baseStyle = `
*,
*::before,
*::after {
  box-sizing: border-box;
}

body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  overflow-wrap: break-word;
}

.words,
q,
pre,
dd,
blockquote,
.who,
.codes,
.notice p,
.plain th {
  overflow-wrap: anywhere;
}

h1,
h2,
h3,
p,
ul,
ol,
dl,
dd,
blockquote,
fieldset,
table,
pre {
  margin: 0;
  padding: 0;
}

a {
  color: var(--link);
  text-decoration-thickness: 1px;
  text-underline-offset: 0.16em;
}

:focus-visible {
  outline: 2px solid var(--link);
  outline-offset: 2px;
  border-radius: 3px;
}

main:focus,
h2:focus {
  outline: none;
}

.unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.skip {
  position: absolute;
  left: 8px;
  top: -60px;
  z-index: 9;
  padding: 8px 14px;
  background: var(--card);
  border: 1px solid var(--link);
  border-radius: var(--radius);
}
.skip:focus {
  top: 8px;
}

.fine,
.facts,
.date {
  color: var(--soft);
  font-size: 0.87em;
  font-weight: 400;
}

code,
pre {
  font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
  font-size: 0.87em;
}
`;

import { ratingColours } from '../../../lambdas/messages/rating-colours.ts';

/** The colours of ratings as variables: `--green-text: #14532d; --green-ground: …`. */
const ratingVariables = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .flatMap(([rating, colours]) =>
      Object.entries(colours).map(([part, colour]) => `--${rating}-${part}: ${colour};`),
    )
    .join(' ');

/** The style sheet of all views. Colour is kept for ratings, links and what needs attention. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #faf9f7;
  --card: #ffffff;
  --ink: #1c2127;
  --soft: #565f69;
  --line: #e2e0da;
  --faint: #f1efea;
  --link: #0b57a4;
  --chosen: #e7eff8;
  --warn-paper: #fff4dc;
  --warn-line: #d9a441;
  ${ratingVariables('light')}
  --radius: 6px;
  font: 15px/1.5 "Segoe UI", system-ui, -apple-system, Roboto, "Helvetica Neue", Arial, sans-serif;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a;
    --card: #1b1f24;
    --ink: #e8e9ea;
    --soft: #a3abb4;
    --line: #30363d;
    --faint: #22272d;
    --link: #7fb8f2;
    --chosen: #1d2f43;
    --warn-paper: #33290f;
    --warn-line: #8f6c21;
    ${ratingVariables('dark')}
  }
}

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

/* Controls */

button,
.button,
input:not([type="checkbox"]),
select {
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--none-mark);
  border-radius: var(--radius);
  padding: 5px 10px;
  min-height: 34px;
}

button,
.button {
  display: inline-block;
  color: var(--link);
  border-color: var(--link);
  font-weight: 600;
  cursor: pointer;
  text-decoration: none;
}
button:hover,
.button:hover {
  background: var(--chosen);
}

select,
.field input {
  width: 100%;
}

.field label,
legend {
  display: block;
  padding: 0;
  font-size: 0.87em;
  font-weight: 600;
  margin-bottom: 3px;
}

.choice {
  display: flex;
  align-items: center;
  gap: 8px;
  min-height: 28px;
}
.choice input {
  width: 16px;
  height: 16px;
  margin: 0;
  flex: none;
  accent-color: var(--link);
}
.choice .count {
  margin-left: auto;
  color: var(--soft);
  font-variant-numeric: tabular-nums;
  font-size: 0.87em;
}

/* Ratings: the word, a colour, and a mark whose shape says the same. */

.rating {
  display: inline-block;
  padding: 0 8px 0 7px;
  border-radius: 10px;
  font-size: 0.93em;
  line-height: 1.45;
  font-weight: 600;
  white-space: nowrap;
  color: var(--none-text);
  background: var(--none-ground);
}
.rating::before {
  content: "";
  display: inline-block;
  width: 0.62em;
  height: 0.62em;
  margin-right: 0.4em;
  border: 2px solid var(--none-mark);
  border-radius: 50%;
}
.rating.none::before,
.rating.unknown::before {
  height: 0;
  border-width: 0 0 2px;
  border-radius: 0;
  vertical-align: 0.25em;
}
.rating.absent::before {
  display: none;
}
.rating.absent {
  background: none;
  border: 1px dashed var(--none-mark);
  line-height: 1.35;
}
.rating.green {
  color: var(--green-text);
  background: var(--green-ground);
}
.rating.green::before {
  border-color: var(--green-mark);
  background: var(--green-mark);
}
.rating.amber {
  color: var(--amber-text);
  background: var(--amber-ground);
}
.rating.amber::before {
  border-color: var(--amber-mark);
  background: linear-gradient(90deg, var(--amber-mark) 50%, transparent 50%);
}
.rating.red {
  color: var(--red-text);
  background: var(--red-ground);
}
.rating.red::before {
  border-color: var(--red-mark);
}
.arrow {
  color: var(--soft);
}

/* Header */

.top {
  display: grid;
  grid-template-columns: auto 1fr auto;
  gap: 6px 20px;
  align-items: center;
  padding: 10px 24px;
  background: var(--card);
  border-bottom: 1px solid var(--line);
}
.brand {
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
.brand a {
  color: inherit;
  text-decoration: none;
  font-weight: 700;
  font-size: 1.07em;
}
.catalogues {
  color: var(--soft);
  margin-left: 6px;
}
.status a {
  color: var(--soft);
  text-decoration: none;
  font-size: 0.93em;
}
.status a:hover {
  text-decoration: underline;
}
.status a::before {
  content: "";
  display: inline-block;
  width: 9px;
  height: 9px;
  border-radius: 50%;
  margin-right: 7px;
  border: 2px solid var(--none-mark);
}
.status .live::before {
  background: var(--green-mark);
  border-color: var(--green-mark);
}
.status .failing {
  color: var(--red-text);
  font-weight: 600;
}
.status .failing::before {
  border-color: var(--red-mark);
  border-radius: 0;
  transform: rotate(45deg);
}
.search {
  display: flex;
  gap: 6px;
  justify-self: end;
}
.search input {
  width: 15rem;
  min-width: 0;
}
.top nav {
  grid-row: 2;
  grid-column: 1 / -1;
}
.top nav ul {
  display: flex;
  gap: 4px 22px;
  flex-wrap: wrap;
  list-style: none;
}
.top nav a {
  display: inline-block;
  padding: 3px 0 5px;
  color: var(--soft);
  text-decoration: none;
  border-bottom: 2px solid transparent;
}
.top nav a:hover {
  color: var(--ink);
}
.top nav a[aria-current] {
  color: var(--ink);
  font-weight: 600;
  border-color: var(--link);
}
.top {
  padding-bottom: 0;
}

/* The stream, its filters, and an open event */

.columns {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  max-width: 1720px;
  margin: 0 auto;
  padding: 16px 24px 40px;
}
.stream {
  min-width: 0;
}
.highlights {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  list-style: none;
  margin-bottom: 12px;
}
.highlights a,
.highlights span {
  display: block;
  padding: 4px 11px;
  border: 1px solid var(--line);
  border-radius: 15px;
  background: var(--card);
  color: var(--ink);
  text-decoration: none;
}
.highlights a:hover {
  border-color: var(--link);
}
.highlights b {
  font-variant-numeric: tabular-nums;
  margin-left: 3px;
}
.highlights .none span {
  color: var(--soft);
  background: none;
}
.highlights .green a {
  background: var(--green-ground);
  color: var(--green-text);
  border-color: var(--green-mark);
}
.highlights .amber a {
  background: var(--amber-ground);
  color: var(--amber-text);
  border-color: var(--amber-mark);
}
.highlights a[aria-current] {
  box-shadow: 0 0 0 2px var(--paper), 0 0 0 4px var(--link);
}
.chips {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
  list-style: none;
  margin-bottom: 12px;
}
.chips a {
  display: block;
  padding: 2px 10px;
  border-radius: var(--radius);
  background: var(--chosen);
  color: var(--ink);
  text-decoration: none;
}
.chips a:hover {
  text-decoration: line-through;
}
.chips .all {
  background: none;
  color: var(--link);
  text-decoration: underline;
}
.tools {
  white-space: nowrap;
}
.about {
  display: flex;
  justify-content: space-between;
  gap: 12px;
}
.about b {
  font-variant-numeric: tabular-nums;
}
#new-changes:empty {
  display: none;
}
#new-changes {
  position: sticky;
  top: 8px;
  z-index: 5;
  margin: 8px 0;
  text-align: center;
}
#new-changes a {
  display: inline-block;
  padding: 5px 16px;
  border-radius: 17px;
  background: var(--link);
  color: var(--card);
  font-weight: 600;
  text-decoration: none;
  box-shadow: 0 2px 8px #0003;
}

.day {
  margin-top: 18px;
}
.day > h2 {
  font-size: 1.07rem;
  font-weight: 700;
  padding-bottom: 4px;
}
.day > .panel {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
  margin-top: 8px;
  overflow: clip;
}
.panel h3 {
  font-size: 1rem;
  font-weight: 600;
  padding: 8px 14px 6px;
}
.panel h3 a {
  color: inherit;
  text-decoration: none;
}
.panel h3 a:hover {
  text-decoration: underline;
}
.codes {
  display: inline-block;
  padding: 0 6px;
  border: 1px solid var(--line);
  border-radius: 4px;
  font-size: 0.83em;
  font-weight: 600;
  color: var(--soft);
}
.day ol {
  list-style: none;
}
li.event {
  position: relative;
  display: grid;
  grid-template-columns: 3rem minmax(0, 1fr) minmax(0, auto);
  gap: 2px 12px;
  align-items: baseline;
  padding: 6px 14px;
  border-top: 1px solid var(--faint);
}
li.event:hover {
  background: var(--faint);
}
li.event.is-open {
  background: var(--chosen);
  box-shadow: inset 3px 0 var(--link);
}
li.event time {
  color: var(--soft);
  font-variant-numeric: tabular-nums;
  font-size: 0.93em;
}
li.event .who {
  color: var(--soft);
  font-size: 0.87em;
  max-width: 12rem;
  text-align: right;
}
a.open {
  color: inherit;
  text-decoration: none;
}
a.open b {
  margin-right: 5px;
}
a.open::after {
  content: "";
  position: absolute;
  inset: 0;
}
/* The other events of one action: links above that of the row. */
a.also {
  position: relative;
  z-index: 1;
}
a.also::after {
  inset: -5px -2px;
}
a.also:hover .words {
  text-decoration: underline;
}
a.open:focus-visible {
  outline: none;
}
a.open:focus-visible::after {
  outline: 2px solid var(--link);
  outline-offset: -2px;
}
li.event q {
  display: block;
  color: var(--soft);
  font-size: 0.93em;
  quotes: "“" "”";
}
.late {
  padding: 0 6px;
  border: 1px solid var(--warn-line);
  border-radius: 4px;
  font-size: 0.83em;
}
li.is-new {
  animation: arrive 4s ease-out;
}
@keyframes arrive {
  from {
    background: var(--chosen);
  }
}
@media (prefers-reduced-motion: reduce) {
  li.is-new {
    animation: none;
    box-shadow: inset 3px 0 var(--link);
  }
}
.pager {
  margin-top: 20px;
  text-align: center;
}

.filters {
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--card);
}
.filters summary {
  padding: 8px 14px;
  font-weight: 600;
  cursor: pointer;
}
.filters summary b {
  padding: 0 7px;
  border-radius: 9px;
  background: var(--chosen);
}
.filters form {
  columns: 190px;
  column-gap: 18px;
  padding: 4px 14px 10px;
}
.filters form > * {
  break-inside: avoid;
  margin-bottom: 14px;
}
fieldset {
  border: 0;
  min-width: 0;
}
.filters .buttons {
  display: flex;
  align-items: center;
  gap: 14px;
}

aside.event:empty {
  display: none;
}
aside.event {
  min-width: 0;
  scroll-margin-top: 12px;
}
aside.event article {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: 18px 22px;
}
aside.event h2 {
  font-size: 1.2rem;
  line-height: 1.35;
  padding-right: 4.5rem;
  margin-bottom: 6px;
}
.close {
  float: right;
}
.close a {
  text-decoration: none;
}
.byline {
  color: var(--soft);
  margin-top: 8px;
}
blockquote {
  margin: 10px 0;
  padding: 6px 14px;
  border-left: 3px solid var(--none-mark);
  background: var(--faint);
  border-radius: 0 var(--radius) var(--radius) 0;
}
.known {
  margin: 10px 0;
}
.known > div,
.rows dl > div {
  display: flex;
  gap: 12px;
  padding: 2px 0;
}
.known dt {
  flex: 0 0 8.5rem;
  color: var(--soft);
}
.links {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px 16px;
  margin: 14px 0;
}
.tabs ul {
  display: flex;
  flex-wrap: wrap;
  gap: 2px 18px;
  list-style: none;
  border-bottom: 1px solid var(--line);
}
.tabs a {
  display: block;
  padding: 5px 0;
  margin-bottom: -1px;
  color: var(--soft);
  text-decoration: none;
  border-bottom: 2px solid transparent;
}
.tabs a[aria-current] {
  color: var(--ink);
  font-weight: 600;
  border-color: var(--link);
}
.rendering {
  margin: 12px 0;
}
.rows {
  list-style: none;
}
.rows li + li {
  margin-top: 14px;
}
.rows dl {
  display: flex;
  flex-wrap: wrap;
  gap: 0 18px;
  font-size: 0.87em;
}
.rows dl > div {
  gap: 6px;
}
.rows dt {
  color: var(--soft);
}
pre {
  max-height: 60vh;
  overflow: auto;
  padding: 10px 14px;
  background: var(--faint);
  border-radius: var(--radius);
  white-space: pre-wrap;
}
details summary {
  cursor: pointer;
}
.rendering details {
  margin-top: 12px;
}
.subject {
  font-weight: 600;
}
.subject span {
  color: var(--soft);
  font-weight: 400;
  margin-right: 6px;
}
iframe {
  width: 100%;
  height: 460px;
  margin-top: 8px;
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
.id {
  user-select: all;
}

.chat {
  padding: 14px 18px;
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
.chat p,
.chat .fields {
  margin-bottom: 8px;
  white-space: pre-line;
}
.chat .title {
  font-weight: 700;
  font-size: 1.07em;
}
.chat .fields {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(150px, 1fr));
  gap: 6px 14px;
  list-style: none;
}
.chat .fields span {
  display: block;
  color: var(--soft);
  font-size: 0.87em;
}
.chat .context,
.chat .subtle {
  color: var(--soft);
  font-size: 0.87em;
}
.chat .bold {
  font-weight: 700;
}
.chat .large {
  font-size: 1.13em;
}
.chat.slack {
  border-left: 4px solid var(--none-mark);
}

/* Other pages */

.page {
  max-width: 1060px;
  margin: 0 auto;
  padding: 22px 24px 60px;
}
.page h1,
.notice h1 {
  font-size: 1.53rem;
  line-height: 1.25;
}
.page h2 {
  font-size: 1.13rem;
  margin: 26px 0 6px;
}
.page h3 {
  font-size: 1rem;
  margin: 16px 0 4px;
  padding: 0;
}
.lead {
  color: var(--soft);
  margin: 2px 0 12px;
}
table.plain {
  width: 100%;
  border-collapse: collapse;
}
.plain th,
.plain td {
  text-align: left;
  vertical-align: baseline;
  padding: 5px 16px 5px 0;
  border-bottom: 1px solid var(--line);
  font-weight: 400;
}
.plain thead th {
  color: var(--soft);
  font-size: 0.87em;
}
.plain tbody th {
  font-weight: 600;
}
.plain .when,
.plain .number {
  white-space: nowrap;
}
.green-page .plain th {
  width: 22%;
}
.green-page .plain .when {
  width: 7.4rem;
}
.green-page .plain .number {
  width: 4rem;
}
.green-page .plain .by {
  width: 20%;
}
.step {
  white-space: nowrap;
}
.plain .failed td {
  color: var(--red-text);
}
.steps {
  line-height: 1.9;
}
.notice {
  max-width: 46rem;
  margin: 22px auto;
  padding: 20px 26px;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
}
.notice h2 {
  font-size: 1.13rem;
  margin: 0;
}
.notice p {
  margin-top: 8px;
}
.warning {
  margin: 10px 0;
  padding: 8px 14px;
  background: var(--warn-paper);
  border-left: 3px solid var(--warn-line);
  border-radius: 0 var(--radius) var(--radius) 0;
}
.inline {
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: 10px 16px;
  margin: 14px 0;
}
.inline input:not([type="checkbox"]) {
  height: 37px;
}
.inline .choice {
  min-height: 37px;
}
.inline .buttons {
  display: flex;
  align-items: center;
  gap: 12px;
}

.timeline {
  margin-top: 4px;
  font-size: 0.87em;
}
.line {
  display: grid;
  grid-template-columns: 9rem minmax(0, 1fr);
  gap: 12px;
  align-items: center;
}
.line .name {
  font-weight: 600;
  overflow: hidden;
  white-space: nowrap;
  text-overflow: ellipsis;
}
.line svg {
  display: block;
  width: 100%;
  overflow: visible;
}
.legend {
  margin-top: 10px;
}
.timeline text {
  fill: var(--soft);
}
.timeline .grid {
  stroke: var(--line);
}
.timeline .rail {
  stroke: var(--none-mark);
}
.timeline .minor {
  stroke: var(--none-mark);
  opacity: 0.5;
}
.timeline .milestone line {
  stroke: var(--none-mark);
}
.timeline .milestone text {
  fill: var(--ink);
}
.timeline .promoted {
  fill: var(--link);
}
.timeline .other {
  fill: var(--card);
  stroke: var(--link);
  stroke-width: 2;
}
.timeline .bar,
.timeline .gone {
  stroke: none;
}
.timeline .gone {
  stroke: var(--none-mark);
  stroke-dasharray: 2 4;
}
.bar.green {
  fill: var(--green-mark);
  background: var(--green-mark);
  height: 16px;
}
.bar.amber {
  fill: var(--amber-mark);
  background: var(--amber-mark);
  height: 12px;
}
.bar.red {
  fill: var(--red-mark);
  background: var(--red-mark);
  height: 6px;
}
.bar.none,
.bar.unknown {
  fill: var(--none-mark);
  background: var(--none-mark);
  height: 3px;
}
.timeline .word {
  fill: var(--card);
  font-weight: 600;
  font-size: 11.5px;
}
.timeline .word.amber {
  fill: #1c2127;
}
.key {
  display: inline-flex;
  vertical-align: middle;
  align-items: center;
  gap: 6px;
  margin-right: 14px;
}
.key .bar {
  width: 26px;
  border-radius: 2px;
}

/* Wide: filters beside the stream, and an open event beside both */

@media (min-width: 1100px) {
  .columns {
    grid-template-columns: 250px minmax(0, 1fr);
    gap: 28px;
  }
  .with-event .columns {
    grid-template-columns: minmax(0, 1fr) minmax(420px, 40%);
  }
  .with-event .side {
    grid-column: 1;
    grid-row: 1;
  }
  .with-event .stream {
    grid-column: 1;
  }
  aside.event {
    scroll-margin-top: 100vh;
  }
  .with-event aside.event {
    grid-column: 2;
    grid-row: 1 / span 2;
  }
  aside.event article {
    position: sticky;
    top: 16px;
    max-height: calc(100vh - 32px);
    overflow-y: auto;
  }
  .changes:not(.with-event) .filters {
    border: 0;
    background: none;
  }
  .changes:not(.with-event) .filters form {
    columns: auto;
    padding: 0;
  }
  @supports selector(::details-content) {
    .changes:not(.with-event) .filters summary {
      display: none;
    }
    .changes:not(.with-event) .filters::details-content {
      content-visibility: visible;
      display: block;
    }
  }
}

@media (min-width: 1500px) {
  .with-event .columns {
    grid-template-columns: 230px minmax(0, 1fr) minmax(460px, 38%);
  }
  .with-event .side {
    grid-row: auto;
  }
  .with-event .stream {
    grid-column: 2;
  }
  .with-event aside.event {
    grid-column: 3;
    grid-row: 1;
  }
  .with-event .filters {
    border: 0;
    background: none;
  }
  .with-event .filters form {
    columns: auto;
    padding: 0;
  }
  @supports selector(::details-content) {
    .with-event .filters summary {
      display: none;
    }
    .with-event .filters::details-content {
      content-visibility: visible;
      display: block;
    }
  }
}

/* Narrow: an open event in place of the stream */

@media (max-width: 1099px) {
  .with-event .side,
  .with-event .stream {
    display: none;
  }
}

@media (max-width: 640px) {
  .notice {
    margin: 16px 14px;
    padding: 16px 18px;
  }
  .stream .notice {
    margin: 16px 0;
  }
  .top {
    grid-template-columns: 1fr auto;
    padding: 10px 14px 0;
  }
  .search {
    grid-column: 1 / -1;
    justify-self: stretch;
  }
  .search input {
    flex: 1;
    width: auto;
  }
  .status {
    grid-column: 1 / -1;
    grid-row: 2;
  }
  .search {
    grid-row: 3;
  }
  .top nav {
    grid-row: 4;
  }
  .highlights {
    gap: 5px;
  }
  .highlights a,
  .highlights span {
    padding: 2px 9px;
    font-size: 0.93em;
  }
  .highlights .none {
    display: none;
  }
  .columns,
  .page {
    padding-left: 14px;
    padding-right: 14px;
  }
  li.event {
    grid-template-columns: 2.7rem minmax(0, 1fr);
  }
  li.event .who {
    grid-column: 2;
    text-align: left;
    max-width: none;
  }
  .known > div {
    display: block;
  }
  .line {
    grid-template-columns: 6.4rem minmax(0, 1fr);
    gap: 8px;
  }
  .timeline .wide {
    display: none;
  }
  aside.event article {
    padding: 14px;
  }
  table.plain,
  .plain tbody,
  .plain tr,
  .plain td,
  .plain tbody th {
    display: block;
  }
  .plain thead {
    position: absolute;
    clip-path: inset(50%);
    width: 1px;
    height: 1px;
    overflow: hidden;
  }
  .plain tr {
    display: flex;
    flex-wrap: wrap;
    gap: 0 14px;
    padding: 6px 0;
    border-bottom: 1px solid var(--line);
  }
  .plain td,
  .plain tbody th {
    border: 0;
    padding: 1px 0;
  }
}

/* Paper */

@media print {
  :root {
    color-scheme: light;
    font-size: 10.5pt;
    --paper: #ffffff;
  }
  .top,
  .side,
  .skip,
  .inline,
  .pager,
  .tools,
  .highlights,
  #new-changes,
  .close,
  .tabs {
    display: none;
  }
  .columns,
  .page {
    display: block;
    padding: 0;
    max-width: none;
  }
  a {
    color: inherit;
    text-decoration: none;
  }
  section.panel {
    break-inside: avoid;
  }
  .rating {
    print-color-adjust: exact;
    -webkit-print-color-adjust: exact;
  }
}
`;

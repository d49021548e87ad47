/** The stream of changes, with the counts and the chosen filters above it. */
export const streamStyle = `
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
  border-color: var(--green-accent);
}
.highlights .amber a {
  background: var(--amber-ground);
  color: var(--amber-text);
  border-color: var(--amber-accent);
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
`;

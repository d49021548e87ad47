/** One open event beside the stream. */
export const eventStyle = `
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
  border-left: 3px solid var(--none-accent);
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
`;

/** The header of every view: name, status, search and navigation. */
export const headerStyle = `
.top {
  display: grid;
  grid-template-columns: auto 1fr auto;
  gap: 6px 20px;
  align-items: center;
  padding: 10px 24px 0;
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
  border: 2px solid var(--none-accent);
}
.status .live::before {
  background: var(--green-accent);
  border-color: var(--green-accent);
}
.status .failing {
  color: var(--red-text);
  font-weight: 600;
}
.status .failing::before {
  border-color: var(--red-accent);
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
`;

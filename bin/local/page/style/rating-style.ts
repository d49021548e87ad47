/** Ratings: the word, a colour, and a symbol whose shape says the same. */
export const ratingStyle = `
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
  border: 2px solid var(--none-accent);
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
  border: 1px dashed var(--none-accent);
  line-height: 1.35;
}
.rating.green {
  color: var(--green-text);
  background: var(--green-ground);
}
.rating.green::before {
  border-color: var(--green-accent);
  background: var(--green-accent);
}
.rating.amber {
  color: var(--amber-text);
  background: var(--amber-ground);
}
.rating.amber::before {
  border-color: var(--amber-accent);
  background: linear-gradient(90deg, var(--amber-accent) 50%, transparent 50%);
}
.rating.red {
  color: var(--red-text);
  background: var(--red-ground);
}
.rating.red::before {
  border-color: var(--red-accent);
}
.arrow {
  color: var(--soft);
}
`;

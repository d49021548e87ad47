/** Views of text and tables, and notices. */
export const documentStyle = `
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
`;

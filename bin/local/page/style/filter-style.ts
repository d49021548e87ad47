/** The form of all filters. */
export const filterStyle = `
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
`;

/** Buttons, fields and choices. */
export const controlStyle = `
button,
.button,
input:not([type="checkbox"]),
select {
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--none-accent);
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
`;

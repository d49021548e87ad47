/** The previews of chat messages. */
export const chatStyle = `
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
  border-left: 4px solid var(--none-accent);
}
`;

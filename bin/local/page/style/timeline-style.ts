/** The picture of a panel over time. */
export const timelineStyle = `
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
  stroke: var(--none-accent);
}
.timeline .minor {
  stroke: var(--none-accent);
  opacity: 0.5;
}
.timeline .milestone line {
  stroke: var(--none-accent);
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
  stroke: var(--none-accent);
  stroke-dasharray: 2 4;
}
.bar.green {
  fill: var(--green-accent);
  background: var(--green-accent);
  height: 16px;
}
.bar.amber {
  fill: var(--amber-accent);
  background: var(--amber-accent);
  height: 12px;
}
.bar.red {
  fill: var(--red-accent);
  background: var(--red-accent);
  height: 6px;
}
.bar.none,
.bar.unknown {
  fill: var(--none-accent);
  background: var(--none-accent);
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
`;

import { formatEvents } from '../bin/show-event.ts';
import type { PanelEvent } from '../lambdas/events/schemas.ts';

const intro = `# The terminal

This page is made from the [example events](examples) by \`npm run docs\`; do not edit it.

\`poll --format table\`, \`watch\` and \`history\` show each change with its time, the gene, STR, region or panel, what changed, on which
panel, who did it, and what they wrote. Times are in UTC. What one person did to one gene within a second is one line. A line
that is too long for the terminal (here 80 columns) continues in the next one. Only very long comments are cut. On a terminal, ratings have
their colours, unless \`NO_COLOR\` is set.
`;

/** The page of the docs that shows events as a terminal of 80 columns does. */
export function terminalPage(events: readonly PanelEvent[]): string {
  const lines = formatEvents(events, { colours: false, width: 80 });
  return `${intro}\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
}

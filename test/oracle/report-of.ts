import { appendFileSync } from 'node:fs';
import type { Holdings } from './ways-of-reading.ts';

/** Appends what was held, and what was denied, to the file that `ORACLE_REPORT` names; without it, nothing is written. */
export function reportOf(title: string, holdings: Holdings): void {
  const file = process.env.ORACLE_REPORT;
  if (file === undefined) return;
  const { events, corrected, counts, denied, missing, unproven } = holdings;
  const values = denied.map(
    ({ against, field, panelId, version, entity, said, allowed, summary, time }) =>
      `${against} | ${field} | ${panelId} ${version} ${entity} | said ${said} | wanted ${allowed} | ${time} ${summary}`,
  );
  const lines = [
    `== ${title}: ${events.length} events, ${denied.length} values denied, ${missing.length} differences missing`,
    ...counts,
    ...values,
    ...missing.map((one) => `missing | ${one}`),
    ...corrected.map((one) => `corrected | ${one}`),
    ...unproven.map((one) => `unproven | ${one}`),
  ];
  appendFileSync(file, `${lines.join('\n')}\n\n`);
}

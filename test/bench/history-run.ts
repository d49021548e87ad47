import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock } from '../../lambdas/clock/clock.ts';
import { formatInstant, parseInstant } from '../../lambdas/clock/instant.ts';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createSqliteHistory } from '../../lambdas/history/sqlite.ts';
import { toMessage } from '../../lambdas/publishing/to-message.ts';
import { openStateFile } from '../../lambdas/state/sqlite-file.ts';
import type { Filter } from '../../lambdas/subscriptions/filter.ts';
import { createMatcher } from '../../lambdas/subscriptions/matcher.ts';
import { createNetChanges } from '../../lambdas/subscriptions/net-changes.ts';

/** `node history-run.ts EVENTS`: a year of so many events, a report over the last 100,000, and subscriptions. */
const [EVENTS, REPORTED, BATCH] = [Number(process.argv[2] ?? 100_000), 100_000, 1_000];
const start = parseInstant('2025-01-01T00:00:00Z') ?? 0n;
const ratings = ['red', 'amber', 'green'] as const;

function eventAt(index: number): PanelEvent {
  const [gene, panel] = [index % 4_000, index % 400];
  return toEvent({
    kind: 'entity.classified',
    change: {
      from: ratings[index % 3] ?? null,
      to: ratings[(index + 1) % 3] ?? null,
      direction: 'upgraded',
    },
    catalogue: { name: 'bench', url: 'https://bench.example/api/v1/' },
    key: String(index),
    at: start + BigInt(index) * 300_000_000n,
    panel: {
      id: panel,
      name: `Panel ${panel}`,
      version: '1.2',
      types: ['gms-signed-off'],
      diseaseGroup: 'Examples',
      diseaseSubGroup: '',
      relevantDisorders: [`R${panel}`],
      signedOff: true,
    },
    entity: { type: 'gene', name: `GENE${gene}` },
    actor: 'Jo Example',
    late: false,
    rows: [0, 1].map((row) => ({
      created: formatInstant(start),
      panel_name: `Panel ${panel}`,
      text: `Classified gene: GENE${gene} as Green List (high evidence), row ${row}. ${'Evidence. '.repeat(20)}`,
    })),
  });
}

const directory = await mkdtemp(join(tmpdir(), 'history-'));
const file = openStateFile(directory);
const history = createSqliteHistory(file);

const measure = async <Value>(work: () => Promise<Value>): Promise<[Value, number]> => {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return [value, (user + system) / 1000];
};

const [, appending] = await measure(async () => {
  for (let from = 0; from < EVENTS; from += BATCH) {
    const records = Array.from({ length: BATCH }, (_, index) => toMessage(eventAt(from + index)));
    await history.append(records, { catalogue: 'bench', since: start, until: start + 1n });
  }
});

const since = start + BigInt(Math.max(0, EVENTS - REPORTED)) * 300_000_000n;
const [panels, reporting] = await measure(async () => {
  const builder = createNetChanges();
  for await (const event of history.findWithoutRows({ since, order: 'oldest' })) builder.add(event);
  return builder.result().panels.length;
});

const [found, looking] = await measure(async () => {
  let count = 0;
  for await (const _event of history.find({ filter: { genes: ['gene7'] }, limit: 20 })) count++;
  return count;
});

const subscribers = Array.from({ length: 1_000 }, (_, at): readonly [number, Filter] => [
  at,
  [
    {
      genes: Array.from({ length: 50 }, (_gene, gene) => `GENE${(at * 7 + gene) % 4_000}`),
      to: ['green' as const],
    },
    { panels: [at % 400], direction: ['upgraded' as const] },
    { rCodes: [`R${at % 400}`], topics: ['classifications' as const] },
    { panelTypes: ['gms-signed-off'], to: ['none' as const] },
  ][at % 4] ?? {},
]);
const some = Array.from({ length: 10_000 }, (_, index) => eventAt(index));
const matching = createMatcher(subscribers);
const [matches, matched] = await measure(async () =>
  some.reduce((sum, event) => sum + matching(event).length, 0),
);

file.close();
await rm(directory, { recursive: true });
process.stdout.write(
  `${JSON.stringify({
    events: EVENTS,
    appendingCpuMs: Math.round(appending),
    reportOf: Math.min(EVENTS, REPORTED),
    reportCpuMs: Math.round(reporting),
    panels,
    lookUpCpuMs: Math.round(looking),
    found,
    matchingCpuMs: Math.round(matched),
    matches,
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    at: new Date(clock.now()).toISOString(),
  })}\n`,
);

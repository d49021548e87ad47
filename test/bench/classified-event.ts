import { toEvent } from '../../lambdas/events/envelope.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { formatInstant, parseInstant } from '../../lambdas/run/instant.ts';

/** Five minutes between two events give 105,000 in a year, and a million before today: the command refuses times in the future. */
const APART = 300_000_000n;
const start = parseInstant('2016-01-01T00:00:00Z') ?? 0n;
const ratings = ['red', 'amber', 'green'] as const;

/** When the event with a number happened. */
export const timeOf = (index: number): bigint => start + BigInt(index) * APART;

/** The event with a number, of 4,000 genes on 400 panels. */
export function classifiedEvent(index: number): PanelEvent {
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
    at: timeOf(index),
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

import type { Activity } from '../lambdas/catalogue/schemas.ts';
import { classifyLog } from '../lambdas/classifier/classify-log.ts';
import { parseInstant } from '../lambdas/clock/instant.ts';
import { correlate } from '../lambdas/correlation/correlate.ts';
import { createKnownStates } from '../lambdas/correlation/known-states.ts';
import { noRequests } from '../lambdas/panels/listing-of.ts';
import type { Message } from '../lambdas/publishing/message.ts';
import { toMessage } from '../lambdas/publishing/to-message.ts';

const panel = { panel_id: 9999, panel_name: 'Example panel', panel_version: '1.5' };
const entity = { item_type: 'entity', entity_name: 'EXAMPLE1', entity_type: 'gene' };

/** What the catalogue writes when an amber gene is rated green; nobody's genes, panel and name. */
const log: readonly Activity[] = [
  ['2026-11-01T09:00:00.000001Z', 'Classified gene: EXAMPLE1 as Amber List (moderate evidence)'],
  ['2026-11-02T10:15:30.120000Z', 'Gene: example1 has been classified as Green List (High Evidence).'],
  ['2026-11-02T10:15:30.145000Z', 'Classified gene: EXAMPLE1 as Green List (high evidence)'],
].map(([created = '', text = '']) => ({ created, ...panel, user_name: 'Jo Example', ...entity, text }));

const facts = {
  types: ['gms-rare-disease', 'gms-signed-off'],
  diseaseGroup: 'Examples',
  diseaseSubGroup: '',
  relevantDisorders: ['An example of a disorder', 'R0'],
  signedOff: true,
};
const readAt = parseInstant('2026-11-02T10:00:00Z') ?? 0n;

/** A gene that turns green, as it is published: complete, and with the attributes that filters see. */
export function exampleMessage(): Message {
  const { events } = correlate(classifyLog(log), createKnownStates(), {
    catalogue: { name: 'uk', url: 'https://panelapp.genomicsengland.co.uk/api/v1/' },
    listing: {
      panels: new Map([[panel.panel_id, { facts, versions: [] }]]),
      typeSlugs: new Map(),
      readAt,
      listedAt: Number(readAt) / 1000,
      requests: noRequests,
    },
  });
  const event = events.at(-1);
  if (event === undefined) throw new Error('The log of the example gives no event');
  return toMessage(event);
}

/** Message attributes as `aws sns publish --message-attributes` takes them. */
export function attributesForCli({ attributes }: Message): object {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type, value }]) => [
      name,
      { DataType: type, StringValue: value },
    ]),
  );
}

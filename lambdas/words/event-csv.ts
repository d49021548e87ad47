import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { versionCell } from './change-csv.ts';
import { directionLabels, kindLabels } from './change-sorts.ts';
import { cleanLine } from './clean-text.ts';
import { csvLine } from './csv.ts';
import { rCodesOf } from './panel-words.ts';
import { ratingWord } from './phrase.ts';

/** The columns of a list of events, in the words of the page, each with its value of an event. */
export const eventValues = {
  time: ({ time }) => time,
  catalogue: ({ data }) => data.catalogue,
  'what happened': whatHappened,
  'panel id': ({ data }) => data.panel?.id,
  panel: ({ data: { panel } }) => panel && cleanLine(panel.name),
  'R codes': ({ data: { panel } }) => panel && rCodesOf(panel).join(', '),
  disorders: ({ data }) => data.panel?.relevantDisorders?.join('; '),
  version: ({ data }) => versionCell(data.panel?.version),
  'signed-off version': ({ data }) => versionCell(data.panel?.signedOffVersion),
  type: ({ data }) => data.entity?.type,
  'gene, STR or region': ({ data: { entity } }) => entity && cleanLine(entity.name),
  'HGNC id': ({ data }) => data.entity?.hgncId,
  'Ensembl id': ({ data }) => data.entity?.ensemblId,
  'OMIM ids': ({ data }) => data.entity?.omimIds?.join('; '),
  before: (event) => ifRated(event, ({ from }) => ratingWord(from)),
  now: (event) => ifRated(event, ({ to }) => ratingWord(to)),
  'how the rating changed': (event) => ifRated(event, ({ direction }) => directionLabels[direction]),
  by: ({ data }) => data.actor,
  late: ({ data }) => (data.late ? 'late' : null),
  summary: ({ data }) => data.summary,
  'event id': ({ id }) => id,
} as const satisfies Readonly<Record<string, (event: PanelEvent) => string | number | null | undefined>>;

const values = Object.values(eventValues);
export const eventColumns = Object.keys(eventValues);

const ifRated = (
  event: PanelEvent,
  words: (change: PanelEvent<'entity.classified'>['data']['change']) => string,
): string | undefined =>
  event.type === 'gene-panel.entity.classified.v1' ? words(event.data.change) : undefined;

/** An event as a line of CSV, in the order of `eventColumns`. */
export const eventLine = (event: PanelEvent): string => csvLine(values.map((of) => of(event)));

function whatHappened(event: PanelEvent): string {
  if (event.type === 'gene-panel.panel.signed-off.v1') {
    return event.data.change.signedOff ? 'panel signed off' : 'sign-off withdrawn';
  }
  const kind = kindOf(event.type);
  return kind === undefined ? event.type : kindLabels[kind];
}

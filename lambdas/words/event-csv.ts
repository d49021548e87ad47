import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { versionCell } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import { csvLine } from './csv.ts';
import { directionLabels, kindLabels } from './event-labels.ts';
import { rCodesOf } from './panel-words.ts';
import { ratingWord } from './phrase.ts';

/** The columns of a list of events, in the words of the page. */
export const eventColumns = [
  'time',
  'catalogue',
  'what happened',
  'panel id',
  'panel',
  'R codes',
  'disorders',
  'version',
  'signed-off version',
  'type',
  'gene, STR or region',
  'HGNC id',
  'Ensembl id',
  'OMIM ids',
  'before',
  'now',
  'how the rating changed',
  'by',
  'late',
  'summary',
  'event id',
] as const;

/** An event as a line of CSV, in the order of `eventColumns`. */
export function eventLine(event: PanelEvent): string {
  const { catalogue, panel, entity, actor, late, summary } = event.data;
  const rated = event.type === 'gene-panel.entity.classified.v1' ? event.data.change : undefined;
  return csvLine([
    event.time,
    catalogue,
    whatHappened(event),
    panel?.id,
    panel && cleanLine(panel.name),
    panel && rCodesOf(panel).join(', '),
    panel?.relevantDisorders?.join('; '),
    versionCell(panel?.version),
    versionCell(panel?.signedOffVersion),
    entity?.type,
    entity && cleanLine(entity.name),
    entity?.hgncId,
    entity?.ensemblId,
    entity?.omimIds?.join('; '),
    rated && ratingWord(rated.from),
    rated && ratingWord(rated.to),
    rated && directionLabels[rated.direction],
    actor,
    late ? 'late' : null,
    summary,
    event.id,
  ]);
}

/** A line that says what limits the list: that a time was not read, or that a name is unknown. */
export const eventNote = (what: string, sentence: string): string =>
  csvLine(
    eventColumns.map((column) =>
      column === 'what happened' ? what : column === 'summary' ? sentence : null,
    ),
  );

function whatHappened(event: PanelEvent): string {
  if (event.type === 'gene-panel.panel.signed-off.v1') {
    return event.data.change.signedOff ? 'panel signed off' : 'sign-off withdrawn';
  }
  const kind = kindOf(event.type);
  return kind === undefined ? event.type : kindLabels[kind];
}

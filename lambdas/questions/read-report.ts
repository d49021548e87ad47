import type { PanelEvent } from '../events/schemas.ts';
import type { EntityChange } from '../filters/entity-history.ts';
import type { EntityNames } from '../filters/entity-names.ts';
import { filterWords } from '../filters/filter-words.ts';
import { createNetChanges, type NetChanges, type PanelChanges } from '../filters/net-changes.ts';
import type { Instant } from '../run/instant.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import type { ReadPart } from '../store/history/read-part.ts';
import { type NamedPlace, namesIn } from '../store/history/unknown-names.ts';
import { answerLimits } from './answer-limits.ts';
import type { Limit } from './question.ts';

/** The net changes of a period, and what of the period was read. */
export interface Report {
  /** The period for people: `2026-10-01 to 2026-11-01`. */
  readonly title: string;
  readonly changes: NetChanges;
  /** What of the period was read, by catalogue: the report is about this part alone. */
  readonly read: readonly ReadPart[];
  /** The filter in words, such as `panel Hearing loss; R code R67`; empty without one. */
  readonly filter: string;
  /** What else limits the answer, each with its kind. */
  readonly limits?: readonly Limit[];
  /** Sentences about names in the filter that do not exist, or that several panels have. */
  readonly warnings: readonly string[];
  /** False where a name does not exist, or nothing of the period was read: that nothing was found then says nothing. */
  readonly isAnswer: boolean;
}

/** The part of the history that a report covers. */
interface Span {
  readonly title: string;
  readonly period: { readonly since?: Instant; readonly until?: Instant };
  /** The present. */
  readonly now: Instant;
  readonly includes: (event: PanelEvent) => boolean;
}

/** Shows how many events were read. */
interface ReadProgress {
  show(read: number, total: null): void;
  end(): void;
}

/**
 * The net changes of a span, and the parts of it that the history does not cover.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readReport(
  place: NamedPlace & { readonly history: History },
  query: HistoryQuery,
  { title, now, includes }: Span,
  progress?: ReadProgress,
): Promise<Report> {
  const { history } = place;
  const builder = createNetChanges();
  let read = 0;
  try {
    for await (const event of history.findWithoutRows({ ...query, order: 'oldest' })) {
      if (includes(event)) builder.add(event);
      if (++read % SHOWN_EVERY === 0) progress?.show(read, null);
    }
  } finally {
    progress?.end();
  }
  const { filter = {} } = query;
  const names = await namesIn(place);
  const changes = withKnownIds(builder.result(), names);
  const limits = await answerLimits(place, { ...query, filter, found: changes.events, now });
  return {
    title,
    changes,
    read: limits.read,
    filter: filterWords(filter, names),
    warnings: limits.names,
    limits: limits.limits,
    isAnswer: limits.isAnswer,
  };
}

const SHOWN_EVERY = 500;

/** Net changes whose genes have the HGNC id that their catalogue states elsewhere: few events of a gene state it. */
function withKnownIds(changes: NetChanges, names: Pick<EntityNames, 'hgncIdIn'>): NetChanges {
  return { ...changes, panels: changes.panels.map((panel) => panelWithIds(panel, names)) };
}

function panelWithIds(panel: PanelChanges, names: Pick<EntityNames, 'hgncIdIn'>): PanelChanges {
  const withId = (change: EntityChange): EntityChange => {
    const { entity } = change;
    if (entity.type !== 'gene' || entity.hgncId !== undefined) return change;
    const hgncId = names.hgncIdIn(panel.catalogue, entity.name);
    return hgncId === null ? change : { ...change, entity: { ...entity, hgncId } };
  };
  const lists = Object.entries(panel.lists).map(([words, changes]) => [words, changes.map(withId)]);
  return { ...panel, lists: Object.fromEntries(lists) };
}

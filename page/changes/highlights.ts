import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { greenTurnOfEvent, greenTurns, turnsWhere } from '../../lambdas/filters/green-turn.ts';

/** A filter that many readers want, with a name. */
export interface Highlight {
  readonly name: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly filter: Filter;
  /** The matching events that the name is not true of, or not for certain: they are counted apart. */
  readonly apart?: { readonly name: string; readonly is: (event: PanelEvent) => boolean };
}

/** What turned green, or is no longer, with what is not certain counted apart. */
function greenHighlight(name: string, isGreen: boolean, apart: string): Highlight {
  const green = turnsWhere(isGreen);
  const isUncertain = (event: PanelEvent): boolean => {
    const turn = greenTurnOfEvent(event);
    return turn !== null && green.includes(turn) && !greenTurns[turn].isCertain;
  };
  return { name, filter: { green }, values: { green }, apart: { name: apart, is: isUncertain } };
}

export const highlights: readonly Highlight[] = [
  greenHighlight('Turned green', true, 'perhaps green before'),
  greenHighlight('No longer green', false, greenTurns['maybe-no-longer'].words),
  { name: 'Promoted', filter: { types: ['panel.promoted'] }, values: { type: ['panel.promoted'] } },
  {
    name: 'Signed off',
    filter: { types: ['panel.signed-off'] },
    values: { type: ['panel.signed-off'] },
    apart: {
      name: 'sign-off withdrawn',
      is: ({ type, data }) => type === 'gene-panel.panel.signed-off.v1' && !data.change.signedOff,
    },
  },
  { name: 'Added', filter: { types: ['entity.added'] }, values: { type: ['entity.added'] } },
  { name: 'Removed', filter: { types: ['entity.removed'] }, values: { type: ['entity.removed'] } },
  { name: 'Tags', filter: { topics: ['tags'] }, values: { topic: ['tags'] } },
  { name: 'Reviews', filter: { topics: ['reviews'] }, values: { topic: ['reviews'] } },
  { name: 'Not recognised', filter: { topics: ['unclassified'] }, values: { topic: ['unclassified'] } },
];

/** The keys that a highlight replaces. */
export const ratingKeys: ReadonlySet<string> = new Set([
  'from',
  'to',
  'direction',
  'green',
  'topics',
  'types',
]);
/** Their options in an address. */
export const highlightNames = ['from-rating', 'to', 'direction', 'green', 'topic', 'type'] as const;

import { inheritanceGroups } from '../../lambdas/events/inheritance.ts';
import type { Topic } from '../../lambdas/events/topics.ts';
import { greenTurnNames, greenTurns } from '../../lambdas/filters/green-turn.ts';
import { directionLabels, kindLabels } from '../../lambdas/words/event-labels.ts';
import type { FilterName } from '../view.ts';

/** The filters as people read them. */
export const filterLabels: Readonly<Record<FilterName, string>> = {
  panel: 'Panel',
  'r-code': 'R code',
  gene: 'Gene, STR or region',
  'from-rating': 'Rating before',
  to: 'Rating now',
  direction: 'How the rating changed',
  green: 'Green list',
  'inheritance-from': 'Mode of inheritance before',
  'inheritance-to': 'Mode of inheritance now',
  topic: 'About',
  type: 'What happened',
  'entity-type': 'Genes, STRs and regions',
  'panel-type': 'Panel type',
  tag: 'Tag',
  actor: 'Curator or reviewer',
  late: 'Late',
};

const ratings = {
  green: 'green',
  amber: 'amber',
  red: 'red',
  none: 'unrated',
  unknown: 'unknown',
} as const;

const green = Object.fromEntries(greenTurnNames.map((turn) => [turn, greenTurns[turn].words]));

const topics: Readonly<Record<Topic, string>> = {
  classifications: 'ratings',
  promotions: 'promotions and sign-offs',
  tags: 'tags',
  membership: 'added, removed, renamed',
  annotations: 'annotations',
  reviews: 'reviews and comments',
  panels: 'panels',
  disagreements: 'disagreements of catalogues',
  unclassified: 'not recognised',
};

const entityTypes = { gene: 'genes', str: 'STRs', region: 'regions' } as const;
const panelTypes = { 'gms-signed-off': 'with a signed-off version (GMS)' } as const;
const late = { true: 'late only', false: 'not late' } as const;

/** The values of the filters that have few, with their words; a filter of names has none. */
export const valueWords: Readonly<Partial<Record<FilterName, Readonly<Record<string, string>>>>> = {
  'from-rating': ratings,
  to: ratings,
  direction: directionLabels,
  green,
  'inheritance-from': inheritanceGroups,
  'inheritance-to': inheritanceGroups,
  topic: topics,
  type: kindLabels,
  'entity-type': entityTypes,
  'panel-type': panelTypes,
  late,
};

/** The word of a value; the value where it has none. Types of events may have their long form. */
export function wordOf(filter: FilterName, value: string): string {
  const short = value.replace(/^gene-panel\.(.*)\.v\d+$/, '$1');
  return valueWords[filter]?.[short] ?? value;
}

import { inheritanceGroups } from '../events/inheritance.ts';
import type { Filter } from './filter.ts';
import { type GreenTurn, greenTurns } from './green-turn.ts';
import { type Names, panelsNamed } from './names.ts';

/** The longest list of values that is written out. */
const MOST_VALUES = 10;

const words = {
  catalogues: ['catalogue', 'catalogues'],
  panels: ['panel', 'panels'],
  panelTypes: ['type of panels', 'types of panels'],
  rCodes: ['R code', 'R codes'],
  genes: ['gene', 'genes'],
  entityTypes: ['kind', 'kinds'],
  topics: ['topic', 'topics'],
  types: ['type of events', 'types of events'],
  from: ['rating before', 'ratings before'],
  to: ['rating now', 'ratings now'],
  direction: ['change', 'changes'],
  green: ['green list', 'green list'],
  inheritanceFrom: ['mode of inheritance before', 'modes of inheritance before'],
  inheritanceTo: ['mode of inheritance now', 'modes of inheritance now'],
  tags: ['tag', 'tags'],
  actors: ['curator or reviewer', 'curators or reviewers'],
  late: ['late', 'late'],
} as const satisfies Readonly<Record<keyof Filter, readonly [one: string, several: string]>>;

/** A filter in words, for the head of an answer: `panel Hearing loss; R code R59`. Names are the present ones. */
export function filterWords(filter: Filter, names: Names): string {
  const keys = Object.keys(words) as readonly (keyof Filter)[];
  return keys
    .flatMap((key) => {
      const values = filter[key];
      if (values === undefined) return [];
      if (typeof values === 'boolean') return [values ? 'late changes only' : 'no late changes'];
      const shown = values.slice(0, MOST_VALUES).map((value) => valueWords(key, value, names));
      const more = values.length - shown.length;
      const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
      return [`${words[key][values.length === 1 ? 0 : 1]} ${list}`];
    })
    .join('; ');
}

function valueWords(key: keyof Filter, value: string | number, names: Names): string {
  const text = String(value);
  if (key === 'genes') return renamedWords(text, names.presentEntityName(text));
  if (key === 'panels') {
    const [panel, other] = panelsNamed(names, text);
    if (!panel || other) return text;
    return /^\d+$/.test(text) ? `${panel.name} (${text})` : renamedWords(text, panel.name);
  }
  if (key === 'green') return greenTurns[value as GreenTurn].words;
  if (key === 'inheritanceFrom' || key === 'inheritanceTo')
    return (inheritanceGroups as Readonly<Record<string, string>>)[text.toLowerCase()] ?? text;
  return key === 'from' || key === 'to' ? (text === 'none' ? 'unrated' : text) : text;
}

const renamedWords = (given: string, present: string): string =>
  given.toLowerCase() === present.toLowerCase() ? present : `${present} (asked for as ${given})`;

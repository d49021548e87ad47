import { typeName } from '../lambdas/events/kinds.ts';
import { filterLists } from '../lambdas/filters/filter-lists.ts';
import { nearest } from '../lambdas/filters/nearest.ts';
import type { Filter } from './event-types.ts';

/** The keys of the filter language, and what a value of each is. */
const keys: Readonly<Record<keyof Filter, 'a list' | 'true or false'>> = {
  catalogues: 'a list',
  panels: 'a list',
  panelTypes: 'a list',
  rCodes: 'a list',
  genes: 'a list',
  entityTypes: 'a list',
  topics: 'a list',
  types: 'a list',
  from: 'a list',
  to: 'a list',
  direction: 'a list',
  green: 'a list',
  inheritanceFrom: 'a list',
  inheritanceTo: 'a list',
  tags: 'a list',
  actors: 'a list',
  late: 'true or false',
};

/**
 * Refuses a filter that a program without types got wrong: a key that is misspelt would let every event pass, and a value
 * that is misspelt none.
 * @throws {TypeError} when a key does not exist, or a value is none that its key takes
 */
export function checkFilter(filter: Filter): void {
  const lists: Readonly<Partial<Record<string, readonly string[]>>> = filterLists();
  for (const [key, value] of Object.entries(filter)) {
    const expected = Object.hasOwn(keys, key) ? keys[key as keyof Filter] : undefined;
    if (expected === undefined)
      throw refused(`the key ${JSON.stringify(key)}`, `only ${Object.keys(keys).join(', ')}`, [
        key,
        Object.keys(keys),
      ]);
    if (value === undefined) continue;
    const isRight = expected === 'a list' ? Array.isArray(value) : typeof value === 'boolean';
    if (!isRight) throw refused(`${JSON.stringify(value)} as ${key}`, expected);
    const list = lists[key];
    if (list && Array.isArray(value)) checkValues(key, value, list);
  }
}

/** An event type may also be written whole, with `gene-panel.` and `.v1`. */
function checkValues(key: string, values: readonly unknown[], list: readonly string[]): void {
  const whole: readonly string[] = key === 'types' ? filterLists().types.map(typeName) : [];
  const allowed = [...list, ...whole];
  const [wrong] = values.filter((value) => !allowed.includes(value as string)).map(String);
  if (wrong === undefined) return;
  throw refused(`${JSON.stringify(wrong)} in ${key}`, `one of ${list.join(', ')}`, [
    wrong.toLowerCase(),
    allowed,
  ]);
}

function refused(
  seen: string,
  expected: string,
  [text, candidates]: readonly [text: string, candidates: readonly string[]] = ['', []],
): TypeError {
  const near = nearest(text, candidates);
  return new TypeError(
    `The filter has ${seen}. Expected ${expected}.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}

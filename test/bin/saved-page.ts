import { readFileSync } from 'node:fs';

/** The items of the first saved page of a list, such as `panels`. */
export function savedPage(list: string): Record<string, unknown>[] {
  const file = new URL(`../fixtures/catalogue/${list}-page-001.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).results;
}

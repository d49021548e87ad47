import { readFileSync } from 'node:fs';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import {
  type CatalogueOptions,
  type RunningCatalogue,
  startCatalogue,
} from '../../sandbox/catalogue/start.ts';

/** The items of the first saved page of a list, such as `panels`. */
export function savedPage(list: string): Record<string, unknown>[] {
  const file = new URL(`../fixtures/catalogue/${list}-page-001.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).results;
}

type Lists = NonNullable<CatalogueOptions['lists']>;

/** A catalogue that serves the first saved page of each list; lists that are given stand in for theirs. */
export const startSaved = (given: Lists = {}): Promise<RunningCatalogue> => {
  const [activities, panels, regions] = ['activities', 'panels', 'regions'].map(savedPage);
  return startCatalogue({ clock, lists: { activities, panels, regions, ...given } as Lists });
};

import { readFileSync } from 'node:fs';

/** The style sheets, in their order: a later one may change what an earlier one says. */
const styles = [
  'colour',
  'base',
  'control',
  'rating',
  'header',
  'stream',
  'highlights',
  'filter',
  'event',
  'chat',
  'document',
  'worklist',
  'timeline',
  'screen',
  'print',
] as const;

/**
 * The folder of what browsers load. The address holds in the checkout, where this module lies in `page/`, and in
 * the built command line, whose modules lie in `dist/bin/`: both are one folder below the one that holds `page/`.
 */
const ownFolder = (): URL => new URL('../page/browser/', import.meta.url);

/**
 * The style sheet of all views, without the variables that hold the colours of ratings.
 * @param folder where its files are; those beside this module where absent
 */
export const readStyle = (folder = ownFolder()): string =>
  styles.map((name) => readFileSync(new URL(`${name}.css`, folder), 'utf8')).join('\n');

/** The modules of the script: the first loads the others. */
const modules = ['page', 'fetched', 'live', 'open-event', 'keys', 'choose-names'] as const;

/** The modules of the script by their names: `page.js`. */
export const readScripts = (folder = ownFolder()): ReadonlyMap<string, string> =>
  new Map(modules.map((name) => [`${name}.js`, readFileSync(new URL(`${name}.js`, folder), 'utf8')]));

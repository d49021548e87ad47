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
  'timeline',
  'screen',
  'print',
] as const;

/**
 * The text of a file that browsers load. The address holds in the checkout, where this module lies in `page/`, and in
 * the built command line, whose modules lie in `dist/bin/`: both are one folder below the one that holds `page/`.
 */
const browserFile = (name: string): string =>
  readFileSync(new URL(`../page/browser/${name}`, import.meta.url), 'utf8');

/** The style sheet of all views, without the variables that hold the colours of ratings. */
export const readStyle = (): string => styles.map((name) => browserFile(`${name}.css`)).join('\n');

/** The modules of the script: the first loads the others. */
const modules = ['page', 'fetched', 'live', 'open-event', 'keys', 'choose-names'] as const;

/** The modules of the script by their names: `page.js`. */
export const readScripts = (): ReadonlyMap<string, string> =>
  new Map(modules.map((name) => [`${name}.js`, browserFile(`${name}.js`)]));

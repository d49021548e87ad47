import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { csvLine } from '../../lambdas/words/clean-text.ts';
import type { Figure } from './figure.ts';

const columns = ['time', 'commit', 'node', 'load', 'race', 'figure', 'value', 'unit', 'goal', 'detail'];

/** What all figures of one run of the bench have in common. */
interface Run {
  /** When it began, as ISO 8601. */
  readonly time: string;
  readonly commit: string;
  readonly node: string;
  /** Processes that wanted a processor when it began, by the system's average of a minute. */
  readonly load: string;
}

/** Adds the figures of a race to a CSV file, a line each, so that a spreadsheet can plot a figure over all runs. */
export function appendFigures(
  file: string,
  { time, commit, node, load }: Run,
  { race, figures }: { readonly race: string; readonly figures: readonly Figure[] },
): void {
  mkdirSync(dirname(file), { recursive: true });
  const heading = existsSync(file) ? '' : csvLine(columns);
  const lines = figures.map(({ name, value, unit, goal, detail }) =>
    csvLine([time, commit, node, load, race, name, value, unit, goal, detail]),
  );
  appendFileSync(file, heading + lines.join(''));
}

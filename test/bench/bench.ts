import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { styleText } from 'node:util';
import { appendFigures } from './append-figures.ts';
import type { Figure, Race } from './figure.ts';
import { backlog } from './races/backlog.ts';
import { disagreements } from './races/disagreements.ts';
import { functionLoad } from './races/function-load.ts';
import { goals } from './races/goals.ts';
import { history } from './races/history.ts';
import { page } from './races/page.ts';
import { pageCost } from './races/page-cost.ts';
import { panelStates } from './races/panel-states.ts';
import { readers } from './races/readers.ts';
import { relay } from './races/relay.ts';
import { stallingTexts } from './races/stalling-texts.ts';
import { startUp } from './races/start-up.ts';
import { subscriptions } from './races/subscriptions.ts';

/**
 * `npm run bench`: what the notifier costs. `npm run bench -- NAME…` runs some races only. Figures are ratios to a
 * baseline of the same run, or CPU time; a missed goal is named and fails nothing. All figures of all runs are kept in
 * `reports/bench.csv`.
 */

const FILE = 'reports/bench.csv';

const races: readonly Race[] = [
  startUp,
  functionLoad,
  pageCost,
  stallingTexts,
  subscriptions,
  backlog,
  history,
  page,
  readers,
  panelStates,
  disagreements,
  relay,
  goals,
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => races.every((race) => race.name !== name));
if (unknown.length > 0) {
  const all = races.map(({ name }) => name).join(', ');
  process.stderr.write(`There is no race ${unknown.join(', ')}. Races: ${all}.\n`);
  process.exit(2);
}

const isMissed = ({ value, goal }: Figure): boolean => goal !== undefined && !(value <= goal);
const line = (text = ''): void => void process.stdout.write(`${text}\n`);
const number = (value: number): string => value.toFixed(Math.abs(value) < 100 ? 2 : 0);

const WIDTH = 100;
/** How far the columns before the name reach. */
const INDENT = 36;

/** One figure; what it is compared with goes to a line of its own where the terminal is too narrow. */
function linesOf({ name, value, unit, goal, detail, baseline }: Figure, missed: boolean): readonly string[] {
  const cells = [
    `${number(value)} ${unit}`.padStart(10),
    (goal === undefined ? '' : `goal ${goal}`).padEnd(10),
    (goal === undefined ? '' : missed ? 'MISSED' : 'met').padEnd(6),
    detail === undefined ? name : `${name} (${detail})`,
  ];
  const first = `  ${cells.join('  ')}`;
  if (baseline === undefined) return [first];
  const whole = `${first}, against ${baseline}`;
  return whole.length <= WIDTH ? [whole] : [first, `${' '.repeat(INDENT)}against ${baseline}`];
}

line(`Node ${process.versions.node}, ${cpus().length} processors, ${cpus()[0]?.model ?? ''}, load ${load()}`);
const run = {
  time: new Date().toISOString(),
  commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
  node: process.versions.node,
  load: load().split(' ')[0] ?? '',
};
const missed: string[] = [];
for (const race of races) {
  if (names.length > 0 && !names.includes(race.name)) continue;
  line();
  line(`${styleText('bold', race.title)} (${race.name})`);
  const { figures, notes = [] } = await race.run();
  appendFigures(FILE, run, { race: race.name, figures });
  for (const figure of figures) {
    if (isMissed(figure)) missed.push(`${race.name}, ${figure.name}: ${number(figure.value)} ${figure.unit}`);
    for (const text of linesOf(figure, isMissed(figure))) line(text);
  }
  for (const note of notes) line(`  ${note}`);
}
line();
line(missed.length === 0 ? 'Every goal is met.' : `Goals missed: ${missed.length}`);
for (const each of missed) line(`  ${each}`);
line(`The figures of all runs are in ${FILE}.`);

/** What else the machine does, where it says so. */
function load(): string {
  try {
    return readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 2).join(' ');
  } catch {
    return 'unknown';
  }
}

import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { styleText } from 'node:util';
import type { Figure, Race } from './figure.ts';
import { backlog } from './races/backlog.ts';
import { functionLoad } from './races/function-load.ts';
import { history } from './races/history.ts';
import { page } from './races/page.ts';
import { pageCost } from './races/page-cost.ts';
import { stallingTexts } from './races/stalling-texts.ts';
import { startUp } from './races/start-up.ts';
import { subscriptions } from './races/subscriptions.ts';

/**
 * `npm run bench`: what the notifier costs. `npm run bench -- NAME…` runs some races only. Figures are ratios to a
 * baseline of the same run, or CPU time; a missed goal is named and fails nothing.
 */

const races: readonly Race[] = [
  startUp,
  functionLoad,
  pageCost,
  stallingTexts,
  subscriptions,
  backlog,
  history,
  page,
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

function row({ name, value, unit, goal, baseline }: Figure, missed: boolean): string {
  const wanted = goal === undefined ? '' : `goal ${goal}`;
  const verdict = goal === undefined ? '' : missed ? 'missed' : 'met';
  const cells = [
    name.padEnd(62),
    `${number(value)} ${unit}`.padStart(10),
    wanted.padEnd(9),
    verdict.padEnd(6),
  ];
  return `  ${cells.join('  ')}  ${baseline === undefined ? '' : `against ${baseline}`}`.trimEnd();
}

line(`Node ${process.versions.node}, ${cpus().length} processors, ${cpus()[0]?.model ?? ''}, load ${load()}`);
const missed: string[] = [];
for (const race of races) {
  if (names.length > 0 && !names.includes(race.name)) continue;
  line();
  line(`${styleText('bold', race.title)} (${race.name})`);
  const { figures, notes = [] } = await race.run();
  for (const figure of figures) {
    if (isMissed(figure)) missed.push(`${race.name}, ${figure.name}: ${number(figure.value)} ${figure.unit}`);
    line(row(figure, isMissed(figure)));
  }
  for (const note of notes) line(`  ${note}`);
}
line();
line(missed.length === 0 ? 'Every goal is met.' : `Goals missed: ${missed.length}`);
for (const each of missed) line(`  ${each}`);

/** What else the machine does, where it says so. */
function load(): string {
  try {
    return readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 2).join(' ');
  } catch {
    return 'unknown';
  }
}

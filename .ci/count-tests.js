// Prints how many tests a step's output says have passed and failed: Vitest's summary line, or a line
// "N passed, N failed". Plain JavaScript, so that any Node runs it.
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const output = stripVTControlCharacters(readFileSync(process.argv[2], 'utf8'));
const summaries = output.match(/^ *(?:Tests +.*|\d+ passed, \d+ failed|\d+ checks passed.*)$/gm) ?? [];
const sum = (word) =>
  summaries.reduce(
    (total, line) => total + Number(new RegExp(`(\\d+) (?:checks )?${word}`).exec(line)?.[1] ?? 0),
    0,
  );
process.stdout.write(`${sum('passed')} ${sum('failed')}\n`);

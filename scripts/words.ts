import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Lists words that this project does not use because readers would have to learn them: `npm run words`, or
 * `npm run words -- --check` to fail on one. It reads pages, comments, docstrings, messages and test titles.
 */

interface Rule {
  readonly word: RegExp;
  readonly write: string;
}

const rules: readonly Rule[] = [
  { word: /\b(tells?|told|telling)\b/i, write: 'publish, report, print, say' },
  { word: /\btwins?\b/i, write: 'paired rows' },
  { word: /\bnews\b/i, write: 'unseen rows, new rows' },
  { word: /\b(lives|lived|a life)\b/i, write: 'simulation run' },
  { word: /\btroubles?\b/i, write: 'fault, problem' },
  { word: /\bclick(s|ed)?\b/i, write: 'action of a curator' },
  { word: /\bresidents?\b/i, write: 'account, client, key' },
  { word: /\bpatience\b/i, write: 'retry policy' },
  { word: /\b(whoever|whom|nobody|whatever)\b/i, write: 'name who does it' },
  { word: /\bbetray(s|ed)?\b/i, write: 'show' },
  { word: /\b(stands? behind|rests? on|stands? for)\b/i, write: 'be behind, depend on, mean' },
  { word: /\bfaults? \d+/i, write: 'the behaviour' },
  { word: /interface specification/i, write: 'a page of this repository' },
  { word: /\b(is|was|are) not known\b/i, write: 'unknown' },
];

/** Everyday uses. */
const allowed: readonly RegExp[] = [/nobody can|save lives|news feed|"news"/i];

const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.js', '*.md', '*.yml'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/fixtures|^scripts\/words\.ts$|^docs\/(schemas|examples)\//.test(file));

let hits = 0;
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    const text = file.endsWith('.md') ? line : proseOf(line);
    if (allowed.some((use) => use.test(text))) continue;
    for (const { word, write } of rules) {
      const found = word.exec(text)?.[0];
      if (found === undefined) continue;
      hits += 1;
      process.stdout.write(`${file}:${index + 1}: "${found}": ${write}\n`);
    }
  }
}
process.stdout.write(`${hits} words in ${files.length} files\n`);
if (process.argv.includes('--check') && hits > 0) process.exitCode = 1;

/** Comments and quoted texts of a line of code. */
function proseOf(line: string): string {
  const comment = /(?:^\s*\*|\/\/|\/\*).*/.exec(line)?.[0] ?? '';
  const quoted = [...line.matchAll(/'[^']*'|`[^`]*`|"[^"]*"/g)].map(([text]) => text);
  return [comment, ...quoted.filter((text) => text.includes(' '))].join(' ');
}

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Lists words that this project does not use because readers would have to learn them: `npm run words`, or
 * `npm run words -- --check` to fail on one. It reads pages, comments, messages, test titles and,
 * word by word, the names in code.
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
  { word: /\b(stands? behind|rests? on|stands? for)\b/i, write: 'be behind, depend on, mean' },
  { word: /\bfaults? \d+/i, write: 'the behaviour' },
  {
    word: /\bbehind (the|its) (overlap|floor)\b|\b(rows?|lines?) behind\b/i,
    write: 'before, older than, after',
  },
  { word: /\bsurfaces?\b/i, write: 'show up late' },
  { word: /^\s*(\/?\*+ )?Gives\b/, write: 'Returns' },
  { word: /interface specification/i, write: 'a page of this repository' },
  { word: /\b(is|was|are) not known\b/i, write: 'unknown' },
  {
    word: /\b(another one than another|nothing which was read|of none that|lists of them are kept for)\b/i,
    write: 'it as a colleague would say it',
  },
  {
    word: /\bof when it is true\b|\bwas so before is no change\b|\bbeginning of a lie\b|\bperhaps no topic\b/i,
    write: 'as known on, what differs',
  },
  { word: /\b(last words?|come true|stands? for itself|watch state)\b/i, write: 'what it means' },
];

interface Exception {
  readonly file: RegExp;
  readonly text: RegExp;
  readonly reason: string;
}

const exceptions: readonly Exception[] = [
  {
    file: /^(docs\/(wordings|adding-a-wording)\.md|lambdas\/(classifier|correlation)\/|test\/)/,
    text: /`click`|'click'|\bclick: line/,
    reason: 'the name of a form; stored states refer to unpaired rows by it',
  },
  {
    file: /^(page\/browser\/[\w-]+\.js|test\/(?:page|aws\/scenarios)\/[\w.-]+\.ts|scripts\/(?:picture-page|independent-provider)\.ts)$/,
    text: /addEventListener\('click'|\.click\(\)/,
    reason: 'what a person does in a browser',
  },
  {
    file: /(?:google-chat|chat-forms)\.ts$/,
    text: /\bonClick\b/,
    reason: 'a field of a button of Google Chat',
  },
];

const reserved = new Set(
  'tell tells told telling twin twins news trouble troubles click clicked patience'.split(' '),
);

/** Names that say a thing in words of their own. */
const reservedNames = new Set(
  'timeIsOpen endedAtOnce isAboutSame wentHigher FEWEST presentOf besideWords learntOf createAside'.split(
    ' ',
  ),
);

const files = execFileSync('git', ['ls-files', '--', '*.ts', '*.js', '*.md', '*.yml'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/fixtures|^scripts\/words\.ts$|^docs\/(schemas|examples)\//.test(file));

let hits = 0;
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (exceptions.some((exception) => exception.file.test(file) && exception.text.test(line))) continue;
    const isPage = file.endsWith('.md');
    const text = isPage ? line : proseOf(line);
    for (const { word, write } of rules) {
      const found = word.exec(text)?.[0];
      if (found === undefined) continue;
      hits += 1;
      process.stdout.write(`${file}:${index + 1}: "${found}": ${write}\n`);
    }
    for (const name of isPage ? [] : namesIn(line)) {
      hits += 1;
      process.stdout.write(`${file}:${index + 1}: the name "${name}"\n`);
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

/** Names of a line of code with a reserved word in them, such as `newsOf`; texts and comments aside. */
function namesIn(line: string): readonly string[] {
  if (/^\s*(\*|\/\/|\/\*)/.test(line)) return [];
  const code = line.replaceAll(/'[^']*'|`[^`]*`|"[^"]*"|\/\/.*/g, '');
  const names = code.match(/[A-Za-z_$][\w$]*/g) ?? [];
  return names.filter(
    (name) =>
      reservedNames.has(name) ||
      name.split(/(?=[A-Z])|[_$\d]+/).some((part) => reserved.has(part.toLowerCase())),
  );
}

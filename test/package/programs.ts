import { readFileSync } from 'node:fs';
import { readPage } from '../docs/pages.ts';

/** What users of the package write; `run.ts` runs each in a folder that holds nothing else. */

export const cdkApp = `
import { App, Stack } from 'aws-cdk-lib';
import { GenePanelNotifier } from 'gene-panel-notifier';

const stack = new Stack(new App(), 'Panels');
const notifier = new GenePanelNotifier(stack, 'Notifier', {
  prefix: 'panels',
  catalogues: { uk: { base: 'https://panelapp.example.org/api/v1/' } },
});
stack.exportValue(notifier.topics.classifications.topicArn);
`;

export const typeSettings = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    outDir: 'built',
    lib: ['es2023', 'dom'],
    types: [],
  },
  include: ['*.ts'],
});

/** A program of the guide: its first block in that language that begins with some text. */
function programOf(page: string, language: string, begins = ''): string {
  const block = readPage(`docs/${page}`).blocks.find(
    (one) => one.language === language && one.code.startsWith(begins),
  );
  if (block === undefined) throw new Error(`docs/${page} has no program in ${language} ${begins}`);
  return block.code;
}

export const consumer = programOf('guides/consumer-typescript.md', 'ts');
/** Sends two records to the consumer, and what it prints. */
export const trial = programOf('guides/consumer-typescript.md', 'js');
export const trialPrints = programOf('guides/consumer-typescript.md', '', 'EXAMPLE1');
/** The app that deploys the consumer. */
export const consumerApp = programOf('guides/consumer-typescript.md', 'ts', 'import { App');
/** The client of the interpretation API; it is compiled, and not run. */
export const caseReader = programOf('identity.md', 'ts');

/** What the container runs, as arguments of the program, with other values for some options. */
export function containerArguments(values: Readonly<Record<string, string>>): readonly string[] {
  const file = readFileSync(new URL('../../examples/one-machine/Dockerfile', import.meta.url), 'utf8');
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(file) ?? [];
  const given: readonly string[] = JSON.parse(command);
  return given.map((argument, index) => values[given[index - 1] ?? ''] ?? argument);
}

/** Calls the compiled consumer with a recorded batch and prints its reply. */
export const invoke = (batch: string): string => `
import { readFileSync } from 'node:fs';
const { handler } = await import('./built/consumer.js');
console.log(JSON.stringify(await handler(JSON.parse(readFileSync(${JSON.stringify(batch)}, 'utf8')))));
`;

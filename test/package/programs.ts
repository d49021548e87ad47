import { readFileSync } from 'node:fs';

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

/** A program of the guide: its first block in that language. */
function programOf(guide: string, language: string): string {
  const text = readFileSync(new URL(`../../docs/guides/${guide}`, import.meta.url), 'utf8');
  const [, program] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text) ?? [];
  if (program === undefined) throw new Error(`docs/guides/${guide} has no program in ${language}`);
  return program;
}

export const consumer = programOf('consumer-typescript.md', 'ts');
export const pythonConsumer = programOf('consumer-python.md', 'python');

/** Calls the compiled consumer with a recorded batch and prints its reply. */
export const invoke = (batch: string): string => `
import { readFileSync } from 'node:fs';
const { handler } = await import('./built/consumer.js');
console.log(JSON.stringify(await handler(JSON.parse(readFileSync(${JSON.stringify(batch)}, 'utf8')))));
`;

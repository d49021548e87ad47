import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import { readSettings } from '../../lib/read-settings.ts';
import { hasChannels } from '../../lib/subscription-settings.ts';
import { eventsOf, row } from '../classifier/correlation/rows.ts';
import { newFolder } from '../new-folder.ts';
import { now } from './deploy.ts';

/** What the documentation shows to be copied. */

const folder = newFolder();

const guide = readFileSync('docs/deploying.md', 'utf8');

/** The settings of the first steps, as a reader would paste them into notifier.config.ts. */
const pasted = async () => {
  const [, block = ''] = /```ts\n( *export const settings = .*?)```/s.exec(guide) ?? [];
  const file = join(folder, 'notifier.config.ts');
  writeFileSync(file, `import { defineSettings } from '${resolve('lib/settings.ts')}';\n${block}`);
  return (await readSettings(file, { now })).stages.production;
};

describe('the subscription of the first steps', () => {
  const amber = row(-60_000, 'Classified gene: BRCA1 as Amber List (moderate evidence)');
  const green = (at: number) => row(at, 'Classified gene: BRCA1 as Green List (high evidence)');
  const added =
    'gene: BRCA1 was added\ngene: BRCA1 was added to Hereditary breast cancer. Sources: Expert Review Green';

  test.each([
    ['matches a gene that turns green', [amber, green(0)], true],
    ['matches a gene that is green, with an unknown rating before', [green(0)], true],
    ['matches a gene that is added as green', [row(0, added)], true],
    ['does not match a confirmation', [green(-60_000), green(0)], false],
    [
      'does not match a gene that turns amber',
      [green(-60_000), { ...amber, created: green(0).created }],
      false,
    ],
  ])('%s', async (_, rows, matches) => {
    const subscription = (await pasted())?.subscriptions['green-genes'];
    const event = eventsOf(rows).findLast(({ type }) => type === 'gene-panel.entity.classified.v1');
    if (event === undefined) throw new Error('These rows gave no event with a rating');
    if (!subscription || !hasChannels(subscription)) throw new Error('The subscription has no channels');
    expect(compileFilter(subscription.filter)(event), JSON.stringify(event.data.change)).toBe(matches);
  });

  test.each([
    ['docs/deploying.md', "to: ['green'], direction: ['upgraded', 'new', 'unknown']"],
    ['notifier.config.ts', "to: ['green'], direction: ['upgraded', 'new', 'unknown']"],
  ])('is the same in %s', (file, filter) => {
    const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
    const filters = text
      .match(/(?:ratingTo|\bto): \['green'\], direction[^}]*/g)
      ?.map((found) => found.trim());
    expect([...new Set(filters)]).toEqual([filter]);
  });
});

test('the stack of “In your own CDK app” synthesises in an empty app, word for word, with its outputs', async () => {
  const [, code = ''] = /```ts\n(import \{ App, .*?)```/s.exec(guide) ?? [];
  expect(code).toContain('new EventConsumer(');
  const file = join(folder, 'own-app.ts');
  writeFileSync(
    file,
    code.replaceAll(/from '([^']+)'/g, (_, name: string) =>
      name === 'gene-panel-notifier'
        ? `from '${resolve('lib/index.ts')}'`
        : `from '${import.meta.resolve(name)}'`,
    ),
  );
  vi.stubEnv('CDK_OUTDIR', join(folder, 'own-app'));
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify({ 'aws:cdk:bundling-stacks': [] }));
  vi.stubEnv('CDK_VALIDATION', 'false');
  const listeners = process.listeners('beforeExit');
  await import(pathToFileURL(file).href);
  // The app would be written once more when the process ends, into the folder that was removed.
  for (const added of process.listeners('beforeExit'))
    if (!listeners.includes(added)) process.removeListener('beforeExit', added);
  const template = JSON.parse(readFileSync(join(folder, 'own-app', 'Laboratory.template.json'), 'utf8'));
  expect(Object.keys(template.Outputs)).toEqual(
    expect.arrayContaining([
      'TableName',
      'HistoryTable',
      'TopicClassifications',
      'TopicAlarms',
      'Catalogues',
    ]),
  );
});

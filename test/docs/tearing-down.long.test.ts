import { expect, test } from 'vitest';
import { deploy, everything } from '../lib/deploy.ts';
import { readPage } from './pages.ts';

test('tearing down names the output of each table and bucket that stays', () => {
  const [, section = ''] = readPage('docs/deploying.md').prose.split('## Tearing down, and coming back');
  const template = deploy(everything);
  const staying = Object.entries(template.toJSON().Resources as Record<string, Resource>)
    .filter(
      ([, { Type, DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain') && /Table$|Bucket$/.test(Type),
    )
    .map(([id]) => id);
  const outputs = Object.entries(template.findOutputs('*')).filter(([, { Value }]) =>
    staying.includes(Value.Ref),
  );
  expect(outputs).toHaveLength(staying.length);
  expect(staying.length).toBeGreaterThan(5);
  expect(outputs.map(([name]) => name).filter((name) => !section.includes(`\`${name}\``))).toStrictEqual([]);
});

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
}

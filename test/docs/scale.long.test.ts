import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ListedPanel, Listing } from '../../lambdas/store/listing.ts';
import { packJson, toJson } from '../../lambdas/store/packed.ts';
import { deploy } from '../lib/deploy.ts';
import { tableOf } from './monthly-costs.ts';
import { readPage } from './pages.ts';

const { prose } = readPage('docs/scale.md');

/** The cells that say where a figure begins. */
const statedIn = (header: string, what: string): string =>
  tableOf(prose, header).find(([first = '']) => first.includes(what))?.[1] ?? '';

type Stage = Parameters<typeof deploy>[0];

const resourcesOf = (stage: Stage): number => Object.keys(deploy(stage).toJSON().Resources).length;

const cataloguesOf = (count: number): Stage['catalogues'] =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`c${at}`, { base: `https://c${at}.example.org/api/v1/` }]),
  );

const subscriptionsOf = (count: number, each: object): Stage =>
  ({
    catalogues: cataloguesOf(1),
    subscriptions: Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, each])),
  }) as Stage;

describe('the resources of a stack', () => {
  test('for each catalogue are those that the page counts', () => {
    const [one, two] = [1, 2].map((count) => resourcesOf({ catalogues: cataloguesOf(count) })) as [
      number,
      number,
    ];
    expect(statedIn('| | figure |', 'resources of the stack')).toBe(
      `${2 * one - two}, and ${two - one} for each catalogue`,
    );
    expect(one + 12 * (two - one)).toBeLessThanOrEqual(500);
    expect(one + 13 * (two - one)).toBeGreaterThan(500);
  });

  test.each([
    ['by mail', 3, { channels: [{ kind: 'email', to: 'lab@example.org' }] }],
    ['in Slack', 0, { channels: [{ kind: 'slack', webhook: 'lab' }] }],
    ['with a queue', 1, { topics: ['tags'], queue: 'arn:aws:sqs:eu-west-2:123456789012:pipeline' }],
  ])('for each subscription %s are those that the page counts', (_how, more, each) => {
    expect(resourcesOf(subscriptionsOf(2, each)) - resourcesOf(subscriptionsOf(1, each))).toBe(more);
  });
});

/** A listing of made-up panels, each with words of its own. */
function listingOf(count: number): Listing {
  const word = (panel: number, at: number): string =>
    createHash('sha256')
      .update(`${panel % 1_000} ${at}`)
      .digest('base64url')
      .slice(0, 8);
  const panels = Array.from({ length: count }, (_, id): [number, ListedPanel] => [
    id,
    {
      name: `Panel ${id}`,
      facts: {
        types: ['gms-rare-disease', ...(id % 3 > 0 ? ['gms-signed-off'] : [])],
        diseaseGroup: `Group ${id % 25}`,
        diseaseSubGroup: `Sub-group ${id % 90}`,
        relevantDisorders: [`R${id}`, `${word(id, 0)} ${word(id, 1)}`],
        signedOff: id % 3 > 0,
      },
      versions: [{ version: `${id % 7}.${id % 400}`, at: BigInt(id) * 61_234_567_891n }],
    },
  ]);
  const requests = { readings: [], absent: [], notBefore: null };
  return { panels: new Map(panels), typeSlugs: new Map(), readAt: 0n, listedAt: 0, requests };
}

test.each([434, 4_340, 43_400])(
  'the list of %i panels takes as much of an item as the page says',
  (count) => {
    const size = (packJson(toJson(listingOf(count))).B?.byteLength ?? Number.NaN) / 1_000;
    const stated = Number(new RegExp(`(\\d+) kB for ${count.toLocaleString('en')}\\b`).exec(prose)?.[1]);
    expect(stated / size).toBeGreaterThan(0.8);
    expect(stated / size).toBeLessThan(1.25);
    if (count === 43_400) expect(size).toBeGreaterThan(400);
  },
);

import { expect, test } from 'vitest';
import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { StateEntity } from '../../lambdas/panels/version-state.ts';
import { proveVersion } from '../../lambdas/reconcile/prove-version.ts';
import { type Instant, minutes } from '../../lambdas/run/instant.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';

const catalogue = { name: 'uk', url: 'https://catalogue.example/api/v1/' };
const hour = minutes(60);
const beginning = madeUpState().validFrom;

function eventOf<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  { at = beginning, name = 'GJB2' }: { readonly at?: Instant; readonly name?: string } = {},
): PanelEvent {
  const panel = { id: 3, name: 'Hearing loss', version: '1.4' };
  const shown = { panel, entity: { type: 'gene', name }, actor: null, late: false, rows: [] } as const;
  return toEvent({ kind, change, catalogue, key: `${kind} ${at}`, at, ...shown });
}

/** What a second reading of a version, its archive, differs in from the first one and these events. */
async function differencesOf(
  [first, second]: readonly (readonly StateEntity[])[],
  published: readonly PanelEvent[],
) {
  const before = madeUpState({ readAt: beginning + 2n * hour, ...(first && { entities: first }) });
  const archive = {
    source: 'archive',
    validTo: beginning + 3n * hour,
    readAt: beginning + 4n * hour,
  } as const;
  const found = await proveVersion({
    before,
    after: madeUpState({ ...archive, ...(second && { entities: second }) }),
    published,
    isPublished: () => true,
    states: { versions: async () => [], read: async () => null, signOffs: async () => [] },
    isListed: () => true,
    catalogue,
    facts: undefined,
  });
  return found?.differences.map(({ kind, entity, change }) => ({ kind, name: entity?.name, change }));
}

const gene = [madeUpGene('GJB2', { tags: ['watchlist'] })];
const via = 'snapshot';

test('what was published of another reading of a version is undone, whatever it is about', async () => {
  const untagged = eventOf('entity.tags-changed', { added: ['made-up'], removed: ['watchlist'], via });
  expect(await differencesOf([gene, gene], [untagged])).toEqual([
    {
      kind: 'entity.tags-changed',
      name: 'GJB2',
      change: { added: ['watchlist'], removed: ['made-up'], via },
    },
  ]);
  const inherited = [{ field: 'modeOfInheritance', from: gene[0]?.modeOfInheritance ?? null, to: 'Unknown' }];
  const annotated = eventOf('entity.annotated', { changes: inherited, via } as Changes['entity.annotated']);
  expect((await differencesOf([gene, gene], [annotated]))?.map(({ kind }) => kind)).toEqual([
    'entity.annotated',
  ]);
  const removed = eventOf('entity.removed', { rating: 'green', via });
  expect((await differencesOf([gene, gene], [removed]))?.map(({ kind }) => kind)).toContain('entity.added');
});

test('what was published of a version and is shown by its first reading is not followed again', async () => {
  const tagged = eventOf('entity.tags-changed', { added: ['watchlist'], removed: [], via });
  expect(await differencesOf([gene, gene], [tagged])).toEqual([]);
  const renamed = eventOf('entity.renamed', { from: 'DFNB1', to: 'GJB2', via });
  expect(await differencesOf([gene, gene], [renamed])).toEqual([]);
});

test('what was published of a version and a row of it took back later is not followed again', async () => {
  const untagged = eventOf('entity.tags-changed', { added: [], removed: ['watchlist'], via });
  const row = eventOf('entity.tags-changed', { added: ['watchlist'], removed: [] }, { at: beginning + hour });
  expect(await differencesOf([gene, gene], [untagged, row])).toEqual([]);
});

test('a row that rates a gene which was published as removed does not say that it was added again', async () => {
  const removed = eventOf('entity.removed', { rating: 'green', via });
  const unchanged = { from: 'green', to: 'green', direction: 'unchanged' } as const;
  const rated = eventOf('entity.classified', unchanged, { at: beginning + 2n * hour + minutes(10) });
  const other = [madeUpGene('MYO7A')];
  const found = await differencesOf([other, [...gene, ...other]], [removed, rated]);
  expect(found?.map(({ kind, name }) => [kind, name])).toContainEqual(['entity.added', 'GJB2']);
  // Without the removal, the row alone may have added it.
  expect(await differencesOf([other, [...gene, ...other]], [rated])).toEqual([]);
});

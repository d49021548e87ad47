import { describe, expect, test } from 'vitest';
import type { Changes } from '../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { contentsOf } from '../../lambdas/panels/compare-states.ts';
import { stateSince } from '../../lambdas/panels/held-at.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { breast, eventOf } from '../words/events.ts';
import { at, madeUpGene, madeUpState } from './made-up-states.ts';

const hearing = { ...breast, id: 3, name: 'Hearing loss', version: '1.5' };
const later = '2026-03-05T09:00:00.000000Z';

type Kind = 'entity.classified' | 'entity.added' | 'entity.removed' | 'entity.renamed' | 'entity.annotated';
const happened = <Of extends Kind>(
  kind: Of,
  gene: string,
  change: Changes[Of],
  { version = '1.5', time = later, id = 3 } = {},
): PanelEvent => eventOf(kind, change, { gene, time, panel: { ...hearing, id, version } }) as PanelEvent;

const rated = (gene: string, to: 'green' | 'amber', about = {}): PanelEvent =>
  happened('entity.classified', gene, { from: null, to, direction: 'unknown' }, about);
const added = { rating: 'green', sources: [], tags: [], copiedFrom: null } as const;

/** 1.4 holds GJB2 as green and OTOF as amber. */
const state = madeUpState({
  entities: [
    madeUpGene('GJB2', { hgncId: 'HGNC:4284' }),
    madeUpGene('OTOF', { hgncId: 'HGNC:8515', rating: 'amber' }),
  ],
});

async function publishedIn(events: readonly PanelEvent[]) {
  const history = createSqliteHistory(openStateFile());
  const period = { catalogue: 'uk', since: at('2026-03-01T00:00:00'), until: at('2026-03-08T00:00:00') };
  await history.append(
    events.map((event) => toMessage(event)),
    period,
  );
  return { catalogue: 'uk', history };
}

const since = async (...events: readonly PanelEvent[]) => stateSince(state, await publishedIn(events));
const ratingsOf = ({ entities }: typeof state) =>
  Object.fromEntries(entities.map(({ name, rating }) => [name, rating]));

describe('a state with the events after it', () => {
  test('is the state itself where nothing happened since', async () => {
    const events = [rated('OTOF', 'green', { version: '1.4', time: '2026-03-01T11:00:00.000000Z' })];
    expect(await since(...events)).toEqual({ state, isChanged: false, asOf: state.readAt });
  });

  test('has the ratings, the version and the instant of the last event', async () => {
    const found = await since(
      rated('OTOF', 'green'),
      rated('GJB2', 'amber', { version: '1.6', time: '2026-03-06T09:00:00.000000Z' }),
    );
    expect(ratingsOf(found.state)).toEqual({ GJB2: 'amber', OTOF: 'green' });
    expect(found.state).toMatchObject({
      version: '1.6',
      validFrom: at('2026-03-06T09:00:00'),
      greenCount: 1,
    });
    expect(found).toMatchObject({ isChanged: true, asOf: at('2026-03-06T09:00:00') });
  });

  test('has what was added without a new version, and not what was removed', async () => {
    const found = await since(
      happened('entity.added', 'MYO7A', { ...added, sources: [], tags: [] }, { version: '1.4' }),
      happened('entity.removed', 'GJB2', { rating: 'green' }, { version: '1.4' }),
    );
    expect(ratingsOf(found.state)).toEqual({ OTOF: 'amber', MYO7A: 'green' });
    expect(found.state).toMatchObject({ version: '1.4', validFrom: state.validFrom, entityCount: 2 });
    expect(found.state.sha256).not.toBe(state.sha256);
  });

  test('leaves the rating unknown that an entity lost with its source', async () => {
    const changes = [{ field: 'sources' as const, removed: ['Expert Review Green'] }];
    const found = await since(happened('entity.annotated', 'GJB2', { rating: 'green', changes }));
    expect(ratingsOf(found.state)).toEqual({ GJB2: null, OTOF: 'amber' });
  });

  test('has a gene once, whose rows name it by another symbol of its HGNC id', async () => {
    const event = rated('OTOF1', 'green');
    const named = {
      ...event,
      data: { ...event.data, entity: { type: 'gene', name: 'OTOF1', hgncId: 'HGNC:8515' } },
    };
    const found = await since(named as PanelEvent);
    expect(ratingsOf(found.state)).toEqual({ GJB2: 'green', OTOF: 'green' });
  });

  test('keeps the mode of inheritance unknown that no event states', async () => {
    const annotated = { rating: null, changes: [{ field: 'modeOfInheritance' as const, to: 'Unknown' }] };
    const found = await since(
      happened('entity.annotated', 'GJB2', annotated),
      happened('entity.added', 'MYO7A', { ...added, sources: [], tags: [] }),
    );
    const list = contentsOf(found.state);
    const modeOf = (name: string) => {
      const entity = found.state.entities.find((one) => one.name === name);
      return entity && list.modesOf(entity);
    };
    expect([modeOf('GJB2'), modeOf('MYO7A')]).toEqual([['Unknown'], []]);
  });

  test('of a super panel follows from the events of its panels', async () => {
    const child = { id: 7, name: 'Usher syndrome', version: '2.0' };
    const entities = state.entities.map((each) => ({ ...each, child }));
    const events = [
      rated('OTOF', 'green', { id: 7, version: '2.1' }),
      rated('GJB2', 'amber', { id: 8, version: '3.0' }),
    ];
    const found = await stateSince({ ...state, childPanels: [7], entities }, await publishedIn(events));
    expect(ratingsOf(found.state)).toEqual({ GJB2: 'green', OTOF: 'green' });
    expect(found.state).toMatchObject({ version: '1.4', panelName: 'Hearing loss' });
  });
});

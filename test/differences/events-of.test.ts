import { describe, expect, test } from 'vitest';
import { difference } from '../../lambdas/differences/difference.ts';
import { eventsOf } from '../../lambdas/differences/events-of.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';

const entity = { type: 'gene', name: 'GJB2' } as const;
const began = '2026-03-01T10:00:00.000000Z';
const lost = difference(
  'entity.classified',
  { from: 'green', to: 'none', direction: 'downgraded', via: 'snapshot' },
  entity,
);

const published = (time: string, name = 'GJB2'): PanelEvent =>
  ({
    type: 'gene-panel.entity.classified.v1',
    time,
    data: { panel: { id: 3, version: '1.4' }, entity: { type: 'gene', name }, change: { to: 'green' } },
  }) as unknown as PanelEvent;

/** Time and `late` of the event that a state of a version gives, where these events were published. */
function placed(events: readonly PanelEvent[], shownUntil = '2026-03-09T00:00:00.000000Z') {
  const [event] = eventsOf({ id: 3, name: 'Hearing loss', version: '1.4' }, [lost], {
    catalogue: { name: 'uk', url: 'https://catalogue.example/api/v1/' },
    foundAgainst: '1.4',
    at: parseInstant(began) ?? 0n,
    published: events,
    shows: ({ time = '' }) => time <= shownUntil,
    facts: undefined,
  });
  return { time: event?.time, late: event?.data.late, id: event?.id };
}

describe('what a state shows', () => {
  test('is so since its version began, where no row of its entity was published', () => {
    expect(placed([])).toMatchObject({ time: began, late: false });
    expect(placed([published('2026-03-01T10:00:07.000000Z', 'MYO7A')])).toMatchObject({ time: began });
  });

  test('comes just after the rows of its entity that it shows, in any letter case, under the same id', () => {
    const rows = ['2026-03-01T10:00:07.000003Z', '2026-03-01T10:00:05.000000Z'];
    const found = placed(rows.map((time) => published(time, 'gjb2')));
    expect(found).toEqual({ time: '2026-03-01T10:00:07.000004Z', late: false, id: placed([]).id });
  });

  test('is late where an event of its entity was published that it does not show', () => {
    const later = published('2026-03-04T00:00:00.000000Z');
    expect(placed([published('2026-03-01T10:00:05.000000Z'), later], '2026-03-02T00:00:00Z')).toMatchObject({
      time: '2026-03-01T10:00:05.000001Z',
      late: true,
    });
  });

  test('has another id where what was found later of its version took it back', () => {
    const first = { ...published(began), id: placed([]).id ?? '', subject: 'panels/3/gene/GJB2' };
    const back = { ...first, id: 'back', data: { ...first.data, change: { to: 'green', via: 'snapshot' } } };
    const row = { ...back, id: 'row', data: { ...back.data, change: { to: 'green' } } };
    const idAfter = (...events: readonly object[]) => placed(events as readonly PanelEvent[]).id;
    expect(idAfter(first)).toBe(first.id);
    expect(idAfter(back, first)).toBe(first.id);
    expect(idAfter(first, row)).toBe(first.id);
    const again = idAfter(first, back);
    expect(again).not.toBe(first.id);
    expect(idAfter(first, back, { ...first, id: again })).toBe(again);
    expect([again, first.id]).not.toContain(idAfter(first, back, { ...first, id: again }, back));
  });

  test('has another id and a later time where what took its place was taken back', () => {
    const id = placed([]).id ?? '';
    const moved = {
      ...published('2026-02-01T10:00:00.000000Z'),
      id: 'moved',
      subject: 'panels/3/gene/GJB2',
    };
    const before = { panel: { id: 3, version: '1.3' }, change: { to: 'none', via: 'snapshot' } };
    const taken = { ...moved, data: { ...moved.data, ...before, corrects: id } } as unknown as PanelEvent;
    const back = { ...taken, id: 'back', data: { ...taken.data, corrects: undefined } } as PanelEvent;
    expect(placed([taken])).toMatchObject({ id, time: began });
    const again = placed([taken, back]);
    expect(again.id).not.toBe(id);
    expect(again.time).toBe('2026-03-01T10:00:00.000001Z');
  });

  test('says when the facts of the panel were read, which is not when the version began', () => {
    const facts = {
      types: [],
      diseaseGroup: '',
      diseaseSubGroup: '',
      relevantDisorders: ['R67'],
      signedOff: false,
    };
    const [event] = eventsOf({ id: 3, name: 'Hearing loss', version: '1.4' }, [lost], {
      catalogue: { name: 'uk', url: 'https://catalogue.example/api/v1/' },
      foundAgainst: '1.4',
      at: parseInstant(began) ?? 0n,
      facts,
      factsReadAt: parseInstant('2026-03-09T00:00:00.000000Z') ?? 0n,
    });
    expect(event?.data.panel).toMatchObject({ ...facts, factsReadAt: '2026-03-09T00:00:00.000000Z' });
  });

  test('is renamed after the rows of its former name, and changed otherwise after that', () => {
    const renamed = difference('entity.renamed', { from: 'DFNB1', to: 'GJB2', via: 'snapshot' }, entity);
    const rows = [published('2026-03-01T10:00:05.000000Z', 'DFNB1')];
    const after = [...rows, published('2026-03-01T10:00:09.000000Z')];
    const timesAfter = (events: readonly PanelEvent[]) =>
      eventsOf({ id: 3, name: 'Hearing loss', version: '1.4' }, [lost, renamed], {
        catalogue: { name: 'uk', url: 'https://catalogue.example/api/v1/' },
        foundAgainst: '1.4',
        at: parseInstant(began) ?? 0n,
        published: events,
        shows: () => true,
        facts: undefined,
      }).map(({ type, time, data: { late } }) => [type.split('.')[2], time, late]);
    expect(timesAfter(rows)).toEqual([
      ['classified', '2026-03-01T10:00:05.000002Z', false],
      ['renamed', '2026-03-01T10:00:05.000001Z', false],
    ]);
    // A row that states the new name came after the renaming.
    expect(timesAfter(after)).toEqual([
      ['classified', '2026-03-01T10:00:09.000002Z', false],
      ['renamed', '2026-03-01T10:00:05.000001Z', true],
    ]);
  });
});

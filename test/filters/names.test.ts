import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../lambdas/filters/filter.ts';
import { createNameBook } from '../../lambdas/filters/names.ts';
import { namesFoundToo } from '../../lambdas/store/history/unknown-names.ts';
import { breast, eventOf, turnedGreen } from '../words/events.ts';

const renamedPanel = (from: string, to: string, time: string) =>
  eventOf(
    'panel.changed',
    { changes: [{ field: 'name', from, to }] },
    { panel: { ...breast, id: 7, name: to }, time },
  );
const renamedGene = (from: string, to: string, time: string) =>
  eventOf('entity.renamed', { from, to }, { gene: to, time });

describe('a panel is known by', () => {
  const names = createNameBook();
  names.learnPanel({ catalogue: 'uk', id: 7, name: 'Deafness', at: '2026-01-01T00:00:00Z', hashId: '55f6' });
  names.learnEvent(renamedPanel('Deafness', 'Hearing loss', '2026-02-01T00:00:00Z'));
  names.learnEvent(renamedPanel('Hearing loss', 'Hearing and ears', '2026-03-01T00:00:00Z'));

  test.each(['deafness', 'Hearing  loss', 'Hearing and ears', '55F6'])('%s', (name) => {
    expect(names.panelsCalled(name)).toStrictEqual([
      { catalogue: 'uk', id: 7, name: 'Hearing and ears', formerly: ['Deafness', 'Hearing loss'] },
    ]);
  });

  test('and by no part of a name', () => {
    expect(names.panelsCalled('hearing')).toStrictEqual([]);
  });
});

test('a panel that was renamed back has its first name', () => {
  const names = createNameBook();
  names.learnEvent(renamedPanel('A', 'B', '2026-02-01T00:00:00Z'));
  names.learnEvent(renamedPanel('B', 'A', '2026-03-01T00:00:00Z'));
  expect(names.panel('uk', 7)).toMatchObject({ name: 'A', formerly: ['B'] });
});

test('a name that two panels had belongs to both', () => {
  const names = createNameBook();
  names.learnEvent(renamedPanel('Eye', 'Eye disorders', '2026-02-01T00:00:00Z'));
  names.learnPanel({ catalogue: 'uk', id: 8, name: 'Eye', at: '2026-03-01T00:00:00Z' });
  expect(names.panelsCalled('eye').map(({ id }) => id)).toStrictEqual([7, 8]);
});

test('a symbol that a curator replaced is known by the other one on that panel alone', () => {
  const names = createNameBook();
  names.learnEvent(renamedGene('SERBP1P3', 'GABPB2', '2026-02-01T00:00:00Z'));
  names.learnEvent(renamedGene('GABPB2', 'GABPB3', '2026-03-01T00:00:00Z'));
  expect(names.entityKeys('gabpb2')).toStrictEqual(['gabpb2']);
  expect(names.entityKeysOnPanels('gabpb2')).toStrictEqual([
    {
      catalogue: 'uk',
      panelId: breast.id,
      keys: ['serbp1p3', 'gabpb3'],
      spelled: ['SERBP1P3', 'GABPB3'],
    },
  ]);
  expect(names.presentEntityName('SERBP1P3')).toBe('SERBP1P3');
  const matches = compileFilter({ genes: ['SERBP1P3'] }, names);
  const here = turnedGreen({ gene: 'GABPB3' });
  const elsewhere = turnedGreen({ gene: 'GABPB3', panel: { ...breast, id: 99 } });
  expect([here, elsewhere].map(matches)).toStrictEqual([true, false]);
});

describe('a symbol that HGNC replaced', () => {
  const sameGene = (...symbols: readonly string[]) => {
    const names = createNameBook();
    for (const name of symbols) names.learnIdentity({ name, hgncId: 'HGNC:4' });
    return names;
  };

  test('is known by the other one on every panel', () => {
    const names = sameGene('A', 'B');
    names.learnEvent(renamedGene('A', 'B', '2026-02-01T00:00:00Z'));
    expect(names.entityKeys('A')).toStrictEqual(['a', 'hgnc:4', 'b']);
    expect(names.entityKeysOnPanels('A')).toStrictEqual([]);
    expect(names.presentEntityName('A')).toBe('B');
    const elsewhere = turnedGreen({ gene: 'B', panel: { ...breast, id: 99 } });
    expect(compileFilter({ genes: ['A'] }, names)(elsewhere)).toBe(true);
  });

  test('without a row is known by both symbols, from the event of the states', () => {
    const names = createNameBook();
    const event = eventOf(
      'entity.renamed',
      { from: 'A', to: 'B', via: 'snapshot' },
      { gene: 'B', time: '2026-02-01T00:00:00Z' },
    );
    const entity = { type: 'gene' as const, name: 'B', hgncId: 'HGNC:4' };
    names.learnEvent({ ...event, data: { ...event.data, entity } });
    expect(names.entityKeys('A')).toStrictEqual(['a', 'hgnc:4', 'b']);
  });

  test('and put back is the present one', () => {
    const names = sameGene('A', 'B');
    names.learnEvent(renamedGene('A', 'B', '2026-02-01T00:00:00Z'));
    names.learnEvent(renamedGene('B', 'A', '2026-03-01T00:00:00Z'));
    expect([names.presentEntityName('A'), names.presentEntityName('B')]).toStrictEqual(['A', 'A']);
  });
});

test('a filter by a former name matches what happens under the present one, in its catalogue alone', () => {
  const names = createNameBook();
  names.learnEvent(renamedPanel('Deafness', 'Hearing loss', '2026-02-01T00:00:00Z'));
  const matches = compileFilter({ panels: ['Deafness'] }, names);
  const panel = { ...breast, id: 7, name: 'Hearing loss' };
  expect(matches(turnedGreen({ panel }))).toBe(true);
  const here = turnedGreen({ panel });
  expect(matches({ ...here, data: { ...here.data, catalogue: 'australia' } })).toBe(false);
  expect(matches(turnedGreen({ panel: { ...panel, id: 8 } }))).toBe(false);
});

describe('a gene with an HGNC id', () => {
  const names = createNameBook();
  names.learnIdentity({ name: 'MLL2', hgncId: 'HGNC:7133' });
  names.learnIdentity({ name: 'KMT2D', hgncId: 'HGNC:7133' });
  names.learnIdentity({ name: 'KMT2B', hgncId: 'HGNC:15840' });

  test('is known by its id and by each of its symbols alike', () => {
    const all = ['hgnc:7133', 'kmt2d', 'mll2'];
    for (const name of ['HGNC:7133', 'hgnc:7133', 'MLL2', 'kmt2d']) {
      expect([...names.entityKeys(name)].toSorted(), name).toStrictEqual(all);
    }
    expect(names.entityKeys('KMT2B')).toStrictEqual(['kmt2b', 'hgnc:15840']);
  });

  test('is found by its id under a symbol that is new, where the event states the id', () => {
    const matches = compileFilter({ genes: ['HGNC:7133'] }, names);
    const named = (gene: string) => turnedGreen({ gene });
    const event = named('NEW1');
    const entity = { ...event.data.entity, hgncId: 'HGNC:7133' };
    expect(matches({ ...event, data: { ...event.data, entity } })).toBe(true);
    expect(matches(event)).toBe(false);
    expect(matches(named('KMT2B'))).toBe(false);
    expect(matches(named('MLL2'))).toBe(true);
  });

  describe('on a panel where a curator replaced its symbol by that of another gene', () => {
    const own = createNameBook();
    own.learnIdentity({ name: 'GENE1', hgncId: 'HGNC:1' });
    own.learnIdentity({ name: 'OLD1', hgncId: 'HGNC:1' });
    own.learnIdentity({ name: 'GENE2', hgncId: 'HGNC:2' });
    own.learnEvent(renamedGene('GENE1', 'GENE2', '2026-02-01T00:00:00Z'));

    test('has no symbol of the other gene elsewhere', () => {
      expect(own.entityKeys('HGNC:2')).toStrictEqual(['hgnc:2', 'gene2']);
    });

    test('finds the same there by each symbol, former symbol and id of both', () => {
      const here = ['GENE1', 'OLD1', 'GENE2'].map((gene) => turnedGreen({ gene }));
      for (const name of ['GENE1', 'OLD1', 'HGNC:1', 'GENE2', 'HGNC:2']) {
        expect(here.map(compileFilter({ genes: [name] }, own)), name).toStrictEqual([true, true, true]);
      }
    });

    test('finds the same everywhere by its symbol and its id, and not the other gene on other panels', () => {
      const elsewhere = turnedGreen({ gene: 'GENE2', panel: { ...breast, id: 99 } });
      const matched = ['GENE1', 'OLD1', 'HGNC:1', 'GENE2', 'HGNC:2'].map((name) =>
        compileFilter({ genes: [name] }, own)(elsewhere),
      );
      expect(matched).toStrictEqual([false, false, false, true, true]);
    });

    test('says what is found too, unless the filter asks for other panels', () => {
      const sentence = `On ${breast.name}, HGNC:2 also finds the changes of “GENE1”: a curator replaced one name by the other there.`;
      const named = createNameBook();
      named.learnIdentity({ name: 'GENE2', hgncId: 'HGNC:2' });
      named.learnEvent(renamedGene('GENE1', 'GENE2', '2026-02-01T00:00:00Z'));
      expect(namesFoundToo({ genes: ['HGNC:2'] }, named)).toStrictEqual([sentence]);
      expect(namesFoundToo({ genes: ['HGNC:2'], panels: [99] }, named)).toStrictEqual([]);
    });
  });
});

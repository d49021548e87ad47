import { describe, expect, test } from 'vitest';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import type { SignOff } from '../../lambdas/panels/version-state.ts';
import { at, madeUpGene, madeUpState } from './made-up-states.ts';

/** Opens the states of a catalogue; `now` is 1 June 2026. */
type OpenStates = (catalogue: string, retentionDays?: number) => PanelStateStore;

/** What every store of panel states does. */
export function describePanelStates(where: string, open: OpenStates): void {
  const march = madeUpState({ validTo: at('2026-03-05T00:00:00'), source: 'archive' });
  const later = madeUpState({
    version: '1.5',
    validFrom: at('2026-03-05T00:00:00'),
    readAt: at('2026-03-06T00:00:00'),
    entities: [madeUpGene('GJB2', { rating: 'amber' }), madeUpGene('STRC', { hgncId: 'HGNC:16035' })],
  });

  describe(`panel states ${where}`, () => {
    test('are unknown before one is kept', async () => {
      const states = open('none');
      expect(await states.newest(3)).toBeNull();
      expect(await states.find(3, '1.4')).toBeNull();
      expect(await states.at(3, at('2026-03-02T00:00:00'))).toBeNull();
      expect(await states.panels()).toEqual([]);
      expect(await states.holdings('HGNC:4284')).toEqual([]);
      expect(await states.signOffs()).toEqual([]);
    });

    test('come back as they were saved, by version, by beginning and as the newest', async () => {
      await open('kept').save(march);
      const states = open('kept');
      expect(await states.find(3, '1.4')).toEqual(march);
      expect(await states.read(march)).toEqual(march);
      expect(await states.newest(3)).toEqual(march);
      expect(await states.find(3, '1.5')).toBeNull();
      expect(await open('elsewhere').find(3, '1.4')).toBeNull();
    });

    test('a field that the catalogue did not serve stays absent, an empty one stays empty', async () => {
      const { tags, ...untagged } = madeUpGene('GJB2');
      await open('absent').save(
        madeUpState({ entities: [untagged, madeUpGene('STRC', { publications: [] })] }),
      );
      const [gene, other] = (await open('absent').newest(3))?.entities ?? [];
      expect(tags).toEqual([]);
      expect(gene).not.toHaveProperty('tags');
      expect(other?.publications).toEqual([]);
    });

    test('the version of an instant is found where it is known, and unknown in gaps and after the last reading', async () => {
      const states = open('as-of');
      await states.save(march);
      await states.save(
        madeUpState({
          version: '1.7',
          validFrom: at('2026-04-01T00:00:00'),
          readAt: at('2026-04-03T00:00:00'),
        }),
      );
      const versionAt = async (time: string) => (await states.at(3, at(time)))?.version;
      expect(await versionAt('2026-02-28T00:00:00')).toBeUndefined();
      expect(await versionAt('2026-03-01T10:00:00.000000')).toBeUndefined();
      expect(await versionAt('2026-03-01T10:00:00.000001')).toBe('1.4');
      expect(await versionAt('2026-03-04T23:59:59.999999')).toBe('1.4');
      expect(await versionAt('2026-03-05T00:00:00')).toBeUndefined();
      expect(await versionAt('2026-04-01T00:00:00')).toBe('1.7');
      expect(await versionAt('2026-04-03T00:00:00')).toBe('1.7');
      expect(await versionAt('2026-04-03T00:00:00.000001')).toBeUndefined();
    });

    test('an archived version whose end is unknown is the version of no instant', async () => {
      const states = open('endless');
      await states.save({ ...march, validTo: null });
      expect(await states.at(3, at('2026-03-02T00:00:00'))).toBeNull();
      await states.note(march, { validTo: at('2026-03-03T00:00:00') });
      expect((await states.at(3, at('2026-03-02T00:00:00')))?.version).toBe('1.4');
    });

    test('a state that is read again replaces the earlier reading', async () => {
      const states = open('replaced');
      await states.save(madeUpState());
      const again = madeUpState({ source: 'archive', entities: [madeUpGene('STRC')] });
      await states.save(again);
      expect(await states.versions(3)).toHaveLength(1);
      expect(await states.newest(3)).toEqual(again);
      expect(await states.holdings(madeUpGene('GJB2').hgncId ?? '')).toEqual([]);
    });

    test('of versions that began at one instant, the highest number is the newest', async () => {
      const states = open('at-once');
      const tenth = madeUpState({ version: '0.10', entities: [madeUpGene('STRC')] });
      await states.save(tenth);
      await states.save(madeUpState({ version: '0.9', validTo: tenth.validFrom }));
      expect((await states.versions(3)).map(({ version }) => version)).toEqual(['0.9', '0.10']);
      expect((await states.newest(3))?.version).toBe('0.10');
      expect((await states.panels()).map(({ version }) => version)).toEqual(['0.10']);
      expect((await states.at(3, tenth.validFrom))?.version).toBe('0.10');
      expect(await states.holdings(madeUpGene('GJB2').hgncId ?? '')).toEqual([]);
      expect(await states.holdings(madeUpGene('STRC').hgncId ?? '')).toHaveLength(1);
    });

    test.each(['before', 'after'] as const)(
      'of versions that began at one instant, one that ended at it is not the newest: noted %s the other is kept',
      async (order) => {
        const states = open(`set-back-at-once-${order}`);
        const tenth = madeUpState({ version: '0.10', entities: [madeUpGene('STRC')] });
        const end = () => states.note(tenth, { validTo: tenth.validFrom });
        await states.save(tenth);
        if (order === 'before') await end();
        await states.save(madeUpState({ version: '0.9' }));
        if (order === 'after') await end();
        expect((await states.versions(3)).map(({ version }) => version)).toEqual(['0.10', '0.9']);
        expect((await states.newest(3))?.version).toBe('0.9');
        expect((await states.panels()).map(({ version }) => version)).toEqual(['0.9']);
        expect((await states.at(3, tenth.validFrom))?.version).toBe('0.9');
        expect(await states.holdings(madeUpGene('GJB2').hgncId ?? '')).toHaveLength(1);
        expect(await states.holdings(madeUpGene('STRC').hgncId ?? '')).toEqual([]);
      },
    );

    test('a version number that came again is another version', async () => {
      const states = open('restarted');
      const again = madeUpState({ validFrom: at('2026-05-01T00:00:00'), entities: [] });
      await states.save(again);
      await states.save(march);
      expect((await states.versions(3)).map(({ validFrom }) => validFrom)).toEqual([
        march.validFrom,
        again.validFrom,
      ]);
      expect(await states.find(3, '1.4')).toEqual(again);
      expect(await states.read(march)).toEqual(march);
    });

    test('a proof is noted, and nothing is noted of a version that is not kept', async () => {
      const states = open('noted');
      await states.save(march);
      await states.note(march, { proof: { kind: 'explained', events: 2 } });
      expect((await states.find(3, '1.4'))?.proof).toEqual({ kind: 'explained', events: 2 });
      expect((await states.panels())[0]?.proof).toEqual({ kind: 'explained', events: 2 });
      await states.note({ ...march, version: '9.9' }, { proof: { kind: 'proven' } });
      expect(await states.versions(3)).toHaveLength(1);
    });

    test('panels are listed once each, with the newest version, by id', async () => {
      const states = open('panels');
      await states.save(later);
      await states.save(march);
      await states.save(madeUpState({ panelId: 12, panelName: 'Ataxia' }));
      expect((await states.panels()).map(({ panelId, version }) => [panelId, version])).toEqual([
        [3, '1.5'],
        [12, '1.4'],
      ]);
      expect((await states.versions(3)).map(({ version }) => version)).toEqual(['1.4', '1.5']);
    });

    test('the panels that hold a gene are found by its HGNC id, as their newest states show it', async () => {
      const states = open('holdings');
      await states.save(later);
      await states.save(march);
      const gene = madeUpGene('GJB2-AS', { hgncId: madeUpGene('GJB2').hgncId });
      await states.save(madeUpState({ panelId: 12, panelName: 'Ataxia', entities: [gene] }));
      const holdings = await states.holdings(gene.hgncId ?? '');
      expect(holdings).toEqual([
        {
          panelId: 3,
          type: 'gene',
          name: 'GJB2',
          hgncId: gene.hgncId,
          rating: 'amber',
        },
        {
          panelId: 12,
          type: 'gene',
          name: 'GJB2-AS',
          hgncId: gene.hgncId,
          rating: 'green',
        },
      ]);
    });

    test('a gene that a super panel holds twice counts with its higher rating', async () => {
      const states = open('super');
      const child = (id: number) => ({ id, name: `Child ${id}`, version: '1.0' });
      const entities = [
        madeUpGene('GJB2', { rating: 'amber', child: child(1) }),
        madeUpGene('GJB2', { rating: 'green', child: child(2) }),
        madeUpGene('GJB2', { rating: 'red', child: child(4) }),
      ];
      await states.save(madeUpState({ childPanels: [1, 2, 4], entities }));
      expect(await states.holdings(madeUpGene('GJB2').hgncId ?? '')).toMatchObject([{ rating: 'green' }]);
      expect((await states.newest(3))?.entities).toEqual(entities);
    });

    test('a state of 3,000 genes comes back whole', { tags: 'slow' }, async () => {
      const entities = Array.from({ length: 3_000 }, (_, index) =>
        madeUpGene(`GENE${index}`, {
          hgncId: `HGNC:${index}`,
          phenotypes: [hashed(index), hashed(index * 3 + 1), hashed(index * 7 + 2)],
          publications: [hashed(index + 5), hashed(index + 11)],
        }),
      );
      await open('large').save(madeUpState({ entities }));
      expect((await open('large').newest(3))?.entities).toEqual(entities);
    });

    test('old states go after the retention, the newest of each panel never', async () => {
      const states = open('retained', 30);
      await states.save(march);
      await states.save({ ...later, validTo: at('2026-05-20T00:00:00') });
      expect((await states.versions(3)).map(({ version }) => version)).toEqual(['1.5']);
      await states.save(madeUpState({ version: '1.6', validFrom: at('2026-05-20T00:00:00') }));
      expect((await states.versions(3)).map(({ version }) => version)).toEqual(['1.5', '1.6']);
    });

    test('the state of a version that was signed off stays after the retention', async () => {
      const states = open('signed off long ago', 30);
      await states.saveSignOffs([signOff(3, '1.4', '2026-02-01')]);
      await states.save(march);
      await states.save({ ...later, validTo: at('2026-03-20T00:00:00') });
      await states.save(madeUpState({ version: '1.6', validFrom: at('2026-03-20T00:00:00') }));
      expect((await states.versions(3)).map(({ version }) => version)).toEqual(['1.4', '1.6']);
    });

    test('sign-offs are kept once each, by panel and day', async () => {
      const states = open('signed-off');
      await states.saveSignOffs([signOff(12, '2.0', '2026-01-01'), signOff(3, '1.4', '2026-02-01')]);
      const removed = { ...signOff(3, '1.4', '2026-02-01'), removedAt: at('2026-03-04T00:00:00') };
      await states.saveSignOffs([signOff(3, '1.0', '2025-02-01'), removed]);
      expect(await states.signOffs(3)).toEqual([signOff(3, '1.0', '2025-02-01'), removed]);
      expect((await states.signOffs()).map(({ panelId }) => panelId)).toEqual([3, 3, 12]);
    });
  });
}

/** Text that does not compress well. */
function hashed(seed: number): string {
  let state = seed + 1;
  return Array.from({ length: 12 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state.toString(36);
  }).join(' ');
}

function signOff(panelId: number, version: string, date: string): SignOff {
  return {
    panelId,
    panelName: 'Hearing loss',
    version,
    date,
    listedAt: at('2026-03-02T00:00:00'),
    removedAt: null,
  };
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { panelDetailSchema } from '../../lambdas/catalogue/schemas.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { stateFromDetail } from '../../lambdas/panels/state-from-detail.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { createTestClock } from '../run/test-clock.ts';
import { openProvingHarness, type ProvingHarness } from './proving-harness.ts';

const samples = join(import.meta.dirname, '../../../shared/samples/versions');

const saved = (name: string) =>
  JSON.parse(gunzipSync(readFileSync(join(samples, `${name}.json.gz`))).toString());

const stateOf = (detail: unknown): VersionState =>
  stateFromDetail(panelDetailSchema.parse(detail), {
    source: 'archive',
    readAt: 0n,
    proof: { kind: 'proven' },
  });

describe.skipIf(!existsSync(samples))('every version of the panels that the real software archived', () => {
  let harness: ProvingHarness;
  let report: ProofReport;
  let events: readonly PanelEvent[];
  /** By panel, oldest first. */
  let versions: Map<number, VersionState[]>;

  beforeAll(async () => {
    const clock = createTestClock({ now: Date.parse('2026-11-23T12:00:00Z') });
    const catalogue = await startCatalogue({ clock, from: samples, ties: 'fixed' });
    harness = openProvingHarness({
      url: catalogue.url,
      clock,
      from: parseInstant('2026-11-01T00:00:00Z') ?? 0n,
    });
    const archived: VersionState[] = [
      ...Object.values(saved('versions')),
      ...Object.values(saved('current')),
    ].map(stateOf);
    versions = Map.groupBy(
      archived.sort((one, other) => Number(one.validFrom - other.validFrom)),
      ({ panelId }) => panelId,
    );
    await harness.poll();
    await harness.sweep();
    const panels = [...versions].map(([id, own]) => ({
      id,
      isSuper: own.some(({ childPanels }) => childPanels.length > 0),
    }));
    const fromStart = panels
      .sort((one, other) => Number(one.isSuper) - Number(other.isSuper))
      .map(({ id }) => id);
    await harness.prove({ fromStart });
    // What was read of the newest versions is certain once every row of them must be visible.
    clock.pass(16 * 60 * 1000);
    report = await harness.prove();
    events = await harness.events();
    return async () => {
      await harness.close();
      await catalogue.close();
    };
  }, 120_000);

  test('is proven, or explained by its snapshot', async () => {
    const unproven: string[] = [];
    for (const [id, own] of versions) {
      const kept = await harness.states.versions(id);
      expect(kept.map(({ version }) => version)).toEqual(own.map(({ version }) => version));
      unproven.push(
        ...kept
          .filter(({ proof }) => proof.kind === 'unproven')
          .map((one) => `${one.panelId} ${one.version} ${JSON.stringify(one.proof)}`),
      );
    }
    expect(unproven).toEqual([]);
    expect(report).toMatchObject({ outcome: 'done', unproven: 0, percent: 100 });
  });

  test('is kept as it was archived, entity by entity', async () => {
    let compared = 0;
    for (const [id, own] of versions) {
      for (const state of own) {
        const kept = await harness.states.find(id, state.version);
        expect(kept?.entities, `${id} ${state.version}`).toEqual(state.entities);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(804);
  });

  test('publishes each change of rating or membership that no row states once, and no other', () => {
    const rows: readonly Row[] = saved('activities');
    const silent = changesOf(versions).filter(
      ({ panel, version, name }) =>
        !rows.some(
          ({ panel_id, panel_version, entity_name, text }) =>
            panel_id === panel &&
            (panel_version === version || panel_version === neverServed[`${panel} ${version}`]) &&
            (entity_name === name || text.includes(name)),
        ),
    );
    const found = events.flatMap(({ type, data: { panel, entity, change } }) => {
      const about = { panel: panel?.id, version: panel?.version, name: entity?.name };
      const via = 'via' in change ? change.via : 'activity';
      // What is added is rated by an event of its own.
      if (via !== 'snapshot' || ('direction' in change && change.direction === 'new')) return [];
      if (type === 'gene-panel.entity.added.v1') return [{ ...about, to: data(change).rating }];
      if (type === 'gene-panel.entity.classified.v1') return [{ ...about, to: data(change).to }];
      return type === 'gene-panel.entity.removed.v1' ? [{ ...about, to: 'removed' }] : [];
    });
    const published = found.map((one) => JSON.stringify(one));
    const unknown = events.filter(
      ({ data: { change } }) => 'direction' in change && change.direction === 'unknown',
    );
    expect(unknown.map(({ data }) => data.summary)).toEqual([]);
    const truth = new Set(changesOf(versions).map((one) => JSON.stringify(one)));
    expect(silent.length).toBeGreaterThan(7);
    expect(silent.filter((one) => !published.includes(JSON.stringify(one)))).toEqual([]);
    expect(new Set(published).size).toBe(published.length);
    expect(published.filter((one) => !truth.has(one))).toEqual([]);
    // What a row states is not published again.
    const keyOf = (event: PanelEvent): string =>
      JSON.stringify([
        event.data.panel?.id,
        event.data.panel?.version,
        event.data.entity?.name,
        data(event.data.change).to,
      ]);
    const ratings = events.filter(({ type }) => type === 'gene-panel.entity.classified.v1');
    const [snapshots, stated] = [true, false].map((silentOnes) =>
      ratings.filter(({ data: { change } }) => 'via' in change === silentOnes).map(keyOf),
    );
    expect(snapshots?.filter((one) => stated?.includes(one))).toEqual([]);
    expect(snapshots?.length).toBeGreaterThan(20);
    // What a row adds without a rating is red, or unrated: that is no change of its own.
    const usual = ratings.filter(
      ({ data: { change } }) =>
        'via' in change &&
        data(change).direction === 'new' &&
        ['red', 'none'].includes(String(data(change).to)),
    );
    const silentlyAdded = new Set(
      events
        .filter(({ type, data: { change } }) => type === 'gene-panel.entity.added.v1' && 'via' in change)
        .map(keyOfEntity),
    );
    expect(usual.map(keyOfEntity).filter((key) => !silentlyAdded.has(key))).toEqual([]);
  });

  test('is explained by the same events where the log was followed only after it', async () => {
    const clock = createTestClock({ now: Date.parse('2026-11-23T12:00:00Z') });
    const catalogue = await startCatalogue({ clock, from: samples, ties: 'fixed' });
    const later = openProvingHarness({ url: catalogue.url, clock });
    try {
      await later.poll();
      await later.sweep();
      await later.prove({ fromStart: [...versions.keys()] });
      clock.pass(16 * 60 * 1000);
      expect(await later.prove()).toMatchObject({ outcome: 'done', unproven: 0, percent: 100 });
      const found = (all: readonly PanelEvent[]) =>
        all
          .filter(({ data: { change } }) => 'via' in change && change.via === 'snapshot')
          .map(({ data }) => data.summary)
          .sort();
      expect(found(await later.events())).toEqual(found(events));
    } finally {
      await later.close();
      await catalogue.close();
    }
  }, 120_000);
});

/** Versions that rows name and that never were: two curators saved at once. By panel and the version after. */
const neverServed: Readonly<Record<string, string>> = { '28 1.0': '0.4' };

interface Row {
  readonly panel_id: number;
  readonly panel_version: string;
  readonly entity_name: string | null;
  readonly text: string;
}

const data = (
  change: object,
): { readonly rating?: unknown; readonly to?: unknown; readonly direction?: unknown } => change;

const keyOfEntity = ({ data: { panel, entity } }: PanelEvent): string =>
  `${panel?.id} ${panel?.version} ${entity?.name}`;

/** Each rating and membership that differs between two neighbouring versions of a panel that is no super panel. */
function changesOf(versions: ReadonlyMap<number, readonly VersionState[]>) {
  return [...versions.values()].flatMap((own) =>
    own.slice(1).flatMap((after, index) => {
      const before = own[index];
      if (!before || after.childPanels.length > 0) return [];
      const ratingsOf = ({ entities }: VersionState) =>
        new Map(entities.map(({ type, name, rating }) => [`${type} ${name}`, { name, rating }]));
      const [old, now] = [ratingsOf(before), ratingsOf(after)];
      return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => {
        const [was, is] = [old.get(key), now.get(key)];
        if (was?.rating === is?.rating) return [];
        const name = (is ?? was)?.name ?? '';
        return [{ panel: after.panelId, version: after.version, name, to: is ? is.rating : 'removed' }];
      });
    }),
  );
}

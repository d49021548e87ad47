import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EntityStatus } from '../../lambdas/filters/entity-history.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { runCommand, words } from './run-command.ts';

/** 600 rows of a running catalogue and what truly happened; beside the repository, where they are at hand. */
const samples = fileURLToPath(new URL('../../../shared/samples/', import.meta.url));

/** What one row of the log was written for: taken from the catalogue before and after, not from the row's text. */
interface Truth {
  /** What the curator did, and the number of that action. */
  readonly op: string;
  readonly op_id?: number;
  readonly seq: number;
  readonly panel_id: number;
  readonly entity_type: string | null;
  readonly entity_name: string | null;
  readonly events: readonly TrueChange[];
}

interface TrueChange {
  readonly kind: string;
  readonly entity_type?: string;
  readonly entity_name?: string;
  readonly from?: { readonly list: string };
  readonly to?: { readonly list: string };
  readonly initial_list?: string;
  readonly sources?: readonly string[];
  readonly was_list?: string;
  readonly old?: string;
  readonly new?: string;
  readonly version?: string;
}

/** A row of the report as JSON. */
interface Row {
  readonly what: string;
  readonly panelId: number;
  readonly type: string | null;
  readonly name: string | null;
  readonly steps: readonly string[];
  readonly before: string | null;
  readonly now: string | null;
}

const statuses: Readonly<Record<string, EntityStatus>> = { unrated: 'none', 'not on the panel': 'absent' };
const statusIn = (word: string): EntityStatus => statuses[word] ?? (word as EntityStatus);

/** The states of an entity, oldest first: those that truly were, and those that the log states. */
interface Path {
  readonly truly: EntityStatus[];
  readonly stated: EntityStatus[];
}

describe.skipIf(!existsSync(samples))('a report over the saved rows (in ../shared only)', () => {
  let catalogue: RunningCatalogue;
  let root: string;
  let rows: readonly Row[];
  let truth: readonly Truth[];
  beforeAll(async () => {
    [catalogue, root] = await Promise.all([startCatalogue({ clock, from: samples }), newFolder()]);
    const state = join(root, 'state');
    await runCommand(words`poll --only log --catalogue ${catalogue.url} --state ${state} --from 2020-01-01`);
    const period = ['--since', '2020-01-01', '--until', '2024-01-01', '--format', 'json'];
    const { stdout } = await runCommand(['report', '--state', state, ...period]);
    rows = (JSON.parse(stdout) as { rows: Row[] }).rows;
    // In the order in which the catalogue changed: a few rows have a time that was moved.
    truth = (JSON.parse(readFileSync(join(samples, 'truth.json'), 'utf8')) as Truth[])
      .filter(({ op_id }) => op_id !== undefined)
      .toSorted((one, other) => Number(one.op_id) - Number(other.op_id) || one.seq - other.seq);
  });
  afterAll(async () => {
    await Promise.all([catalogue.close(), rm(root, { recursive: true })]);
  });

  test('has every entity whose rating changed, with each step that the log states, and no other', () => {
    const changed = rows.filter(({ steps }) => steps.length > 0);
    const reported = Map.groupBy(changed, ({ panelId, type, name }) => keyOf(panelId, type, name));
    const found = [...reported].map(([key, own]) => [
      key,
      ratingsIn((own[0]?.steps ?? []).map(statusIn)),
      own.map(({ what }) => what),
    ]);
    const wanted = [...pathsOf(truth)]
      .filter(([, { stated }]) => stated.length > 1)
      .map(([key, { stated }]) => [key, ratingsIn(stated), listsOf(stated)]);
    expect(found.toSorted()).toStrictEqual(wanted.toSorted());
    expect(found.length).toBeGreaterThan(100);
  });

  test('states only ratings that were, and "unknown" only where no row states one', () => {
    let unknown = 0;
    for (const { truly, stated } of pathsOf(truth).values()) {
      const known = stated.filter((state) => state !== 'unknown');
      unknown += stated.length - known.length;
      expect(isWithin(known, truly), `${known} in ${truly}`).toBe(true);
      expect(['unknown', truly.at(-1)]).toContain(stated.at(-1));
    }
    expect(unknown).toBeGreaterThan(0);
  });

  test('has every promotion, sign-off and new name of a panel, and every replaced symbol', () => {
    const happened = (kind: string): readonly (readonly [number, TrueChange])[] =>
      truth.flatMap(({ panel_id, events }) =>
        events.flatMap((change) => (change.kind === kind ? [[panel_id, change] as const] : [])),
      );
    const of = (what: string) => rows.filter((row) => row.what === what);
    const inOrder = (pairs: readonly (readonly unknown[])[]) =>
      pairs.map((pair) => pair.join(' ')).toSorted();
    const promoted = new Map(happened('promoted').map(([panel, { version }]) => [panel, `v${version}`]));
    expect(inOrder(of('promoted').map(({ panelId, now }) => [panelId, now]))).toStrictEqual(
      inOrder([...promoted]),
    );
    expect(inOrder(of('panel renamed').map(({ panelId, now }) => [panelId, now]))).toStrictEqual(
      inOrder(happened('panel_renamed').map(([panel, change]) => [panel, change.new])),
    );
    expect(inOrder(of('sign-off').map(({ panelId }) => [panelId]))).toStrictEqual(
      inOrder(happened('signed_off_changed').map(([panel]) => [panel])),
    );
    expect(
      inOrder(of('renamed or replaced').map(({ panelId, before, now }) => [panelId, before, now])),
    ).toStrictEqual(
      inOrder(happened('symbol_replaced').map(([panel, change]) => [panel, change.old, change.new])),
    );
  });
});

const keyOf = (panel: number, type: string | null, name: string | null): string => `${panel} ${type} ${name}`;

const ratings = { Green: 'green', Amber: 'amber', Red: 'red', 'No list': 'none' } as const;
const ratingOf = (list = ''): EntityStatus => ratings[list as keyof typeof ratings];

/** The rating that the sources of an added entity state: those of an expert review carry it. */
function ratingIn(sources: readonly string[] = []): EntityStatus {
  const [stated] = sources.flatMap((source) => /^Expert Review (Green|Amber|Red)$/.exec(source)?.[1] ?? []);
  return stated === undefined ? 'unknown' : ratingOf(stated);
}

function pathsOf(truth: readonly Truth[]): ReadonlyMap<string, Path> {
  const paths = new Map<string, Path>();
  const seen = new Set<string>();
  const enter = (states: EntityStatus[], ...next: readonly EntityStatus[]): void => {
    for (const state of next) if (states.at(-1) !== state) states.push(state);
  };
  for (const { op, op_id, panel_id, entity_type, entity_name, events } of truth) {
    for (const change of events) {
      const type = entity_type ?? change.entity_type ?? null;
      const key = keyOf(panel_id, type, entity_name ?? change.entity_name ?? null);
      const path = paths.get(key) ?? { truly: [], stated: [] };
      const { truly, stated } = path;
      const [from, to] = [ratingOf(change.from?.list), ratingOf(change.to?.list)];
      switch (change.kind) {
        case 'entity_added':
          enter(truly, 'absent', ratingOf(change.initial_list));
          enter(stated, 'absent', ratingIn(change.sources));
          break;
        case 'entity_removed':
          enter(truly, ratingOf(change.was_list), 'absent');
          enter(stated, stated.at(-1) ?? 'unknown', 'absent');
          break;
        case 'symbol_replaced': {
          const before = paths.get(keyOf(panel_id, type, change.old ?? ''));
          paths.delete(keyOf(panel_id, type, change.old ?? ''));
          if (before) paths.set(keyOf(panel_id, type, change.new ?? ''), before);
          continue;
        }
        case 'rating_changed':
          enter(truly, from, to);
          enter(stated, from, to);
          break;
        case 'rating_set':
        case 'classified':
        case 'moved_to_no_list':
          // One action writes several rows about one rating.
          if (seen.has(`${op_id} ${key}`)) continue;
          seen.add(`${op_id} ${key}`);
          enter(truly, from, to);
          // Marking an entity as ready writes the rating that it has.
          enter(stated, stated.at(-1) ?? (op === 'mark_ready' ? to : 'unknown'), to);
          break;
        default:
          continue;
      }
      paths.set(key, path);
    }
  }
  return paths;
}

/** The lists of a report that an entity belongs in. */
/** The steps without those at which the rating was unknown: between two equal ratings nothing was stated. */
function ratingsIn(steps: readonly EntityStatus[]): readonly EntityStatus[] {
  return steps.filter((step) => step !== 'unknown').filter((step, index, all) => step !== all[index - 1]);
}

/** Sure and unsure apart: a rating that was lost with its source may be another one. */
function listsOf(steps: readonly EntityStatus[]): readonly string[] {
  const [from = 'absent', to = 'absent'] = [steps[0], steps.at(-1)];
  if (from === to) return ['changed and changed back'];
  if (to === 'green') return [from === 'unknown' ? 'rated green, perhaps green before' : 'now green'];
  if (from === 'unknown' || (from === 'green' && to === 'unknown')) return ['may no longer be green'];
  if (from === 'green') return ['no longer green'];
  if (from === 'absent') return ['added'];
  return [to === 'absent' ? 'removed' : 'other change of rating'];
}

/** Whether states come in this order among others. */
function isWithin(states: readonly EntityStatus[], all: readonly EntityStatus[]): boolean {
  let at = 0;
  for (const state of all) if (states[at] === state) at += 1;
  return at === states.length;
}

import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { parseCreated, renderCreated } from '../../sandbox/software/values.ts';
import type { TestClock } from '../run/test-clock.ts';
import type { Detail, LogRow, SavedArchive } from './archived-truth.ts';

/** A saved catalogue that is served as it was at one instant after the other. */
interface GrowingCatalogue {
  readonly catalogue: RunningCatalogue;
  /** How many times it can grow. */
  readonly steps: number;
  /** The archive with the times at which it is served. */
  saved(): SavedArchive;
  /** Shows the rows up to the next step, and the panels as they were then. */
  grow(): void;
}

interface Growing {
  readonly saved: SavedArchive;
  readonly clock: TestClock;
  /** About how many rows one step shows; as many as there are by default. */
  readonly rows?: number;
  /** The milliseconds that pass between two steps, beyond those that passed in truth. */
  readonly gapMs?: number;
  readonly details?: 'served' | 'none';
}

type SignedOff = Detail & { readonly signed_off: string };

const at = ({ created }: Pick<LogRow, 'created'>): number => parseCreated(created) ?? 0;
const begun = (detail: Detail): number => parseCreated(detail.version_created) ?? 0;

/**
 * Starts a catalogue that serves nothing yet. Its stamps agree with its clock: where reading took longer than the next rows were
 * away, these are written afterwards.
 */
export async function startGrowing({
  saved,
  clock,
  rows = Number.POSITIVE_INFINITY,
  gapMs = 0,
  details = 'served',
}: Growing): Promise<GrowingCatalogue> {
  const cuts = cutsOf(saved, rows);
  /** By how many microseconds what was written up to each cut is stamped later than in truth. */
  const delays: number[] = [];
  const moved = (time: string): string => {
    const micros = parseCreated(time) ?? 0;
    const step = cuts.findIndex((cut) => micros <= cut);
    const delay = delays[step < 0 ? cuts.length - 1 : step] ?? delays.at(-1) ?? 0;
    return delay === 0 ? time : renderCreated(micros + delay, 'utc');
  };
  const movedDetail = (detail: Detail): Detail => ({
    ...detail,
    version_created: moved(detail.version_created),
  });
  const movedRow = (row: LogRow): LogRow => ({ ...row, created: moved(row.created) });
  const oldestFirst = saved.activities.toReversed();
  const byPanel = Map.groupBy(
    [...Object.values(saved.versions), ...Object.values(saved.current)],
    ({ id }) => id,
  );
  for (const own of byPanel.values()) own.sort((one, other) => begun(one) - begun(other));
  const panels: object[] = [];
  const regions: object[] = [];
  const current: Record<string, object> = {};
  const versions: Record<string, object> = {};
  const signedOff: SignedOff[] = [];
  const signsOff = ({ panel_id, text }: LogRow, id: number): boolean =>
    panel_id === id && /^Panel version has been signed off$/m.test(text);
  const catalogue = await startCatalogue({
    clock,
    ties: 'fixed',
    details,
    lists: { activities: [], panels, regions, details: { current, versions, signedOff } },
  });
  let shown = 0;
  const show = (until: number): void => {
    const next = oldestFirst.findIndex((row) => at(row) > until);
    const end = next < 0 ? oldestFirst.length : next;
    catalogue.addRows(oldestFirst.slice(shown, end).map(movedRow));
    shown = end;
    const later = oldestFirst.slice(end);
    // A version is listed once a row signs it off, or once it is there.
    signedOff.length = 0;
    for (const entry of saved.signedOff as readonly SignedOff[]) {
      const row = saved.activities.find((one) => signsOff(one, entry.id));
      if ((row ? at(row) : begun(entry)) <= until) signedOff.push(entry);
    }
    panels.length = 0;
    regions.length = 0;
    for (const [id, own] of byPanel) {
      const known = own.filter((detail) => begun(detail) <= until);
      const last = known.at(-1);
      for (const detail of known.slice(0, -1)) {
        versions[`${id}@${detail.version}`] = movedDetail(detail);
      }
      if (!last || !['public', 'promoted'].includes(String(last.status))) continue;
      const present = movedDetail(withoutLater(last, later));
      current[id] = present;
      panels.push(listed(present));
      for (const region of [present.regions].flat()) {
        if (region && !('panel' in Object(region)))
          regions.push({ ...Object(region), panel: listed(present) });
      }
    }
  };
  return {
    catalogue,
    steps: cuts.length,
    saved: () => ({
      activities: saved.activities.map(movedRow),
      current: Object.fromEntries(Object.entries(saved.current).map(([key, one]) => [key, movedDetail(one)])),
      versions: Object.fromEntries(
        Object.entries(saved.versions).map(([key, one]) => [key, movedDetail(one)]),
      ),
      signedOff: saved.signedOff,
    }),
    grow() {
      const shownUntil = cuts[delays.length - 1] ?? 0;
      const until = cuts[delays.length] ?? 0;
      const pause = delays.length > 0 ? gapMs * 1000 : 0;
      const planned = (delays.at(-1) ?? 0) + pause;
      const tooEarly = clock.now() * 1000 - (firstAfter(saved, shownUntil) + planned);
      const delay = planned + Math.max(0, tooEarly);
      delays.push(delay);
      clock.pass(Math.max(0, Math.ceil((until + delay) / 1000) + 1 - clock.now()));
      show(until);
    },
  };
}

/** When the first row or version after an instant was written, in microseconds. */
function firstAfter({ activities, versions, current }: SavedArchive, instant: number): number {
  const times = [
    ...activities.map(at),
    ...[...Object.values(versions), ...Object.values(current)].map(begun),
  ];
  return Math.min(...times.filter((time) => time > instant));
}

function listed({ genes, strs, regions, ...panel }: Detail): object {
  const count = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
  return {
    ...panel,
    stats: { number_of_genes: count(genes), number_of_strs: count(strs), number_of_regions: count(regions) },
  };
}

/** What a panel held before rows that raise no version: the archive shows it as it was after them. */
function withoutLater(detail: Detail, later: readonly LogRow[]): Detail {
  const own = later.filter((row) => row.panel_id === detail.id && row.panel_version === detail.version);
  if (own.length === 0) return detail;
  const changed = structuredClone(detail) as Record<string, unknown>;
  for (const row of own.toReversed()) {
    for (const list of ['genes', 'strs', 'regions']) {
      const entities = changed[list] as Record<string, unknown>[] | undefined;
      const entity = entities?.find(({ entity_name }) => entity_name === row.entity_name);
      if (!entities || !entity) continue;
      if (/ was added\n/.test(row.text)) changed[list] = entities.filter((one) => one !== entity);
      const tags = new Set(entity.tags as string[]);
      for (const line of row.text.split('\n').reverse()) {
        const [, added] = /^Tag (\S+) (?:tag )?was added to /.exec(line) ?? [];
        const [, removed] = /^Tag (\S+) was removed from /.exec(line) ?? [];
        if (added !== undefined) tags.delete(added);
        if (removed !== undefined) tags.add(removed);
      }
      entity.tags = [...tags];
    }
  }
  return changed as Detail;
}

/** The instants after each `rows` rows, in microseconds; none lies between the rows and the version of one action. */
function cutsOf({ activities, versions, current }: SavedArchive, rows: number): number[] {
  const oldestFirst = activities.toReversed();
  const spans = new Map<string, [first: number, last: number]>();
  const add = (key: string, time: number): void => {
    const [first, last] = spans.get(key) ?? [time, time];
    spans.set(key, [Math.min(first, time), Math.max(last, time)]);
  };
  for (const detail of [...Object.values(versions), ...Object.values(current)]) {
    add(`${detail.id}@${detail.version}`, begun(detail));
  }
  for (const row of oldestFirst) {
    const key = `${row.panel_id}@${row.panel_version}`;
    const span = spans.get(key);
    // Rows of one action lie within seconds; others may follow under the same version.
    if (!span || at(row) - span[1] < 30_000_000) add(key, at(row));
  }
  const isWithin = (cut: number): boolean =>
    [...spans.values()].some(([first, last]) => first <= cut && cut < last);
  const cuts: number[] = [];
  let count = 0;
  for (const [index, row] of oldestFirst.entries()) {
    count += 1;
    const next = oldestFirst[index + 1];
    if (!next) break;
    if (count < rows || at(next) === at(row) || isWithin(at(row))) continue;
    cuts.push(at(row));
    count = 0;
  }
  const last = oldestFirst.at(-1);
  const ends = [...Object.values(current).map(begun), last ? at(last) : 0];
  return [...cuts, Math.max(...ends)];
}

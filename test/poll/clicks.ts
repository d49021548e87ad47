import type { PanelEvent, Row } from '../../lambdas/events/schemas.ts';
import type { World, WorldRow } from './world.ts';

/** Curators who rate entities in a world: each click writes a banner and, a little later, a row of its own. */
export interface Curators {
  /** Rates some entity, now or at an earlier instant. The second row may be written with a later request. */
  rate(at?: bigint): void;
  /** Writes second rows that are still missing; all of them, or those whose time has come. */
  catchUp(all?: boolean): void;
  /** What is wrong with the events of all clicks: each must be told once, and from what it was before. */
  faultsOf(events: readonly PanelEvent[]): readonly string[];
  readonly clicks: number;
}

export interface CuratorOptions {
  readonly world: World;
  /** How likely the second row appears only so many requests later; otherwise it is there at once. */
  readonly delays: number;
  readonly panels: () => number;
}

const ratings = [
  { list: 'green', banner: 'Green List (High Evidence)', click: 'Green List (high evidence)' },
  { list: 'amber', banner: 'Amber List (Moderate Evidence)', click: 'Amber List (moderate evidence)' },
  { list: 'red', banner: 'Red List (Low Evidence)', click: 'Red List (low evidence)' },
] as const;

interface Click {
  readonly subject: string;
  readonly at: bigint;
  readonly list: string;
  readonly rows: WorldRow[];
}

/** Nobody rates one entity twice within this time. */
const APART = 2_000_000n;

const SYMBOLS = ['ACTC1', 'MYH7', 'TTN'];

export function createCurators({ world, delays, panels }: CuratorOptions): Curators {
  const { random } = world;
  const clicks: Click[] = [];
  const missing: { requests: number; write: () => void }[] = [];
  const last = new Map<string, number>();
  return {
    rate(at = world.now) {
      const symbol = SYMBOLS[Math.floor(random() * SYMBOLS.length)] ?? '';
      const panel = panels();
      const subject = `${panel} ${symbol}`;
      const near = clicks.some(
        (other) => other.subject === subject && at - other.at < APART && other.at - at < APART,
      );
      if (near) return;
      // Never the rating that was set before: two clicks of one kind at one time can be told apart by nobody.
      const which = ((last.get(subject) ?? 0) + 1 + Math.floor(random() * 2)) % ratings.length;
      last.set(subject, which);
      const { list, banner, click } = ratings[which] ?? ratings[0];
      const given = { entity_name: symbol, panel_id: panel };
      const second = at + BigInt(Math.floor(random() * 3)) * 3_000n;
      const rows = [
        world.write(`Gene: ${symbol.toLowerCase()} has been classified as ${banner}.`, { ...given, at }),
      ];
      clicks.push({ subject, at, list, rows });
      const write = (): void => {
        rows.push(world.write(`Classified gene: ${symbol} as ${click}`, { ...given, at: second }));
      };
      if (random() < delays) missing.push({ requests: 1 + Math.floor(random() * 6), write });
      else write();
    },
    catchUp(all = false) {
      for (const late of missing.splice(0)) {
        late.requests -= 1;
        if (all || late.requests <= 0) late.write();
        else missing.push(late);
      }
    },
    faultsOf(events) {
      const faults: string[] = [];
      const told = new Map<Click, string>();
      for (const { type, id, data } of events) {
        if (type !== 'gene-panel.entity.classified.v1') continue;
        const { from, to } = data.change;
        const rows = new Set(data.activities.map(nameOf));
        for (const click of clicks.filter((one) => one.rows.some(({ row }) => rows.has(nameOf(row))))) {
          const fault = (words: string): number =>
            faults.push(`${click.subject} ${click.at} to ${click.list}: ${words}`);
          if (told.has(click) && told.get(click) !== id) fault('told twice');
          if (to !== click.list) fault(`told as ${to}`);
          // Only what was told can be known: rows of one instant may lie on no page for a while.
          const before = [...told.keys()].filter(
            ({ subject, at }) => subject === click.subject && at < click.at,
          );
          const [last] = before.sort((one, other) => Number(other.at - one.at));
          if (from !== null && !told.has(click) && from !== last?.list)
            fault(`told from ${from}, not ${last?.list}`);
          told.set(click, id);
        }
      }
      for (const click of clicks)
        if (!told.has(click)) faults.push(`${click.subject} ${click.at} to ${click.list}: never told`);
      return faults;
    },
    get clicks() {
      return clicks.length;
    },
  };
}

const nameOf = ({ created, text, panel_id }: Row | WorldRow['row']): string =>
  `${created} ${panel_id} ${text}`;

import type { PanelEvent, Row } from '../../lambdas/events/schemas.ts';
import type { SimulatedLog, SimulatedRow } from './simulated-log.ts';

/** Curators who rate entities: each action writes a banner and, perhaps a little later, a second row. */
interface Curators {
  /** Rates some entity, now or at an earlier instant. The second row may be written with a later request. */
  rate(at?: bigint): void;
  /** Writes second rows that are still missing; all of them, or those whose time has come. */
  catchUp(all?: boolean): void;
  /** What is wrong with the events: each action gives one event, from the rating that was published before. */
  problemsIn(events: readonly PanelEvent[]): readonly string[];
  readonly actions: number;
}

interface CuratorOptions {
  readonly catalogue: SimulatedLog;
  /** How likely the second row appears only some requests later; otherwise it is there at once. */
  readonly delays: number;
  readonly panels: () => number;
}

const ratings = [
  { list: 'green', banner: 'Green List (High Evidence)', ratingText: 'Green List (high evidence)' },
  { list: 'amber', banner: 'Amber List (Moderate Evidence)', ratingText: 'Amber List (moderate evidence)' },
  { list: 'red', banner: 'Red List (Low Evidence)', ratingText: 'Red List (low evidence)' },
] as const;

interface Action {
  readonly subject: string;
  readonly at: bigint;
  readonly list: string;
  readonly rows: SimulatedRow[];
}

/** No entity is rated twice within this time. */
const APART = 2_000_000n;

const SYMBOLS = ['ACTC1', 'MYH7', 'TTN'];

export function createCurators({ catalogue, delays, panels }: CuratorOptions): Curators {
  const { random } = catalogue;
  const actions: Action[] = [];
  const missing: { requests: number; write: () => void }[] = [];
  const last = new Map<string, number>();
  return {
    rate(at = catalogue.now) {
      const symbol = SYMBOLS[Math.floor(random() * SYMBOLS.length)] ?? '';
      const panel = panels();
      const subject = `${panel} ${symbol}`;
      const near = actions.some(
        (other) => other.subject === subject && at - other.at < APART && other.at - at < APART,
      );
      if (near) return;
      // Never the previous rating: two equal actions of one instant cannot be distinguished.
      const which = ((last.get(subject) ?? 0) + 1 + Math.floor(random() * 2)) % ratings.length;
      last.set(subject, which);
      const { list, banner, ratingText } = ratings[which] ?? ratings[0];
      const given = { entity_name: symbol, panel_id: panel };
      const second = at + BigInt(Math.floor(random() * 3)) * 3_000n;
      const rows = [
        catalogue.write(`Gene: ${symbol.toLowerCase()} has been classified as ${banner}.`, { ...given, at }),
      ];
      actions.push({ subject, at, list, rows });
      const write = (): void => {
        rows.push(catalogue.write(`Classified gene: ${symbol} as ${ratingText}`, { ...given, at: second }));
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
    problemsIn(events) {
      const problems: string[] = [];
      const published = new Map<Action, string>();
      for (const { type, id, data } of events) {
        if (type !== 'gene-panel.entity.classified.v1') continue;
        const { from, to } = data.change;
        const rows = new Set(data.activities.map(nameOf));
        for (const action of actions.filter((one) => one.rows.some(({ row }) => rows.has(nameOf(row))))) {
          const report = (words: string): number =>
            problems.push(`${action.subject} ${action.at} to ${action.list}: ${words}`);
          if (published.has(action) && published.get(action) !== id) report('published twice');
          if (to !== action.list) report(`published as ${to}`);
          // Only published ratings can be known: a tied row may lie on no page for a while.
          const before = [...published.keys()].filter(
            ({ subject, at }) => subject === action.subject && at < action.at,
          );
          const [newest] = before.sort((one, other) => Number(other.at - one.at));
          if (from !== null && !published.has(action) && from !== newest?.list)
            report(`published from ${from}, not ${newest?.list}`);
          published.set(action, id);
        }
      }
      for (const action of actions)
        if (!published.has(action)) problems.push(`${action.subject} ${action.at} to ${action.list}: lost`);
      return problems;
    },
    get actions() {
      return actions.length;
    },
  };
}

const nameOf = ({ created, text, panel_id }: Row | SimulatedRow['row']): string =>
  `${created} ${panel_id} ${text}`;

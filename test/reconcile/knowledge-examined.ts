import type { Rating } from '../../lambdas/events/changes.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { brokenChains } from '../oracle/broken-chains.ts';
import type { SimulatedCatalogue } from './simulated-catalogue.ts';

/** Holds the events of a run against what readers knew before each, and against the catalogue at its end. */

/** The ratings of the catalogue's confidence levels. */
export const levels: Readonly<Record<string, Rating>> = { 3: 'green', 2: 'amber', 1: 'red', 0: 'none' };
/** What readers of the events know, by fact: `3 rating ISCA-3-Loss`. */
type Known = Map<string, { value: string; from?: string | null; since: bigint; via: string }>;

/** What is so. */
export function readersOf({ panels }: SimulatedCatalogue): Known {
  const known: Known = new Map();
  const put = (fact: string, value: string): void =>
    void known.set(fact, { value, since: 0n, via: 'baseline' });
  for (const { id, listed, held } of panels.values()) {
    put(`${id} name`, listed.name);
    put(`${id} major`, listed.version.split('.')[0] ?? '');
    put(`${id} visible`, 'true');
    for (const { entity_name: name, confidence_level: level, tags } of held) {
      put(`${id} present ${name}`, 'true');
      put(`${id} rating ${name}`, levels[level] ?? '');
      for (const tag of tags) put(`${id} tag ${name} ${tag}`, 'true');
    }
  }
  return known;
}

interface Statement {
  readonly fact: string;
  readonly to: string;
  /** Null where the event does not say what was so before. */
  readonly from: string | null;
}

/** The fields of changes that are read. */
interface Changed {
  readonly direction?: string;
  readonly from?: string | null;
  readonly to?: string;
  readonly version?: string;
  readonly previousVersion?: string | null;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly changes?: readonly { readonly field: string; readonly from: string; readonly to: string }[];
}

/** What an event says of facts. */
function statementsOf({ type, data }: PanelEvent): readonly Statement[] {
  const { panel, entity } = data;
  const change = data.change as Changed;
  const id = panel?.id;
  const name = entity?.name;
  switch (kindOf(type)) {
    case 'entity.classified':
      return [{ fact: `${id} rating ${name}`, to: change.to ?? '', from: change.from ?? null }];
    case 'entity.added':
      return [{ fact: `${id} present ${name}`, to: 'true', from: null }];
    case 'entity.removed':
      return [{ fact: `${id} present ${name}`, to: 'false', from: null }];
    case 'entity.tags-changed':
      return (['added', 'removed'] as const).flatMap((list) =>
        (change[list] ?? []).map((tag) => ({
          fact: `${id} tag ${name} ${tag}`,
          to: String(list === 'added'),
          from: null,
        })),
      );
    case 'panel.promoted':
      return [
        {
          fact: `${id} major`,
          to: String(change.version).split('.')[0] ?? '',
          from: change.previousVersion?.split('.')[0] ?? null,
        },
      ];
    case 'panel.published':
    case 'panel.withdrawn':
      return [{ fact: `${id} visible`, to: String(kindOf(type) === 'panel.published'), from: null }];
    case 'panel.changed':
      return (change.changes ?? []).flatMap(({ field, from, to }) =>
        field === 'name' ? [{ fact: `${id} name`, to, from }] : [],
      );
    default:
      return [];
  }
}

/** What went wrong; all empty where poller and sweep agreed about what is so. */
export interface Findings {
  /** Events that said what readers knew from another event. */
  readonly repeated: readonly string[];
  /** Events that started from something else than what readers knew. */
  readonly wrongStarts: readonly string[];
  /** Facts that readers know otherwise than they are. */
  readonly unknown: readonly string[];
  /** Ids that were accepted with two bodies. */
  readonly contradictions: readonly string[];
  /** Events that state another rating before than the event before them led to. */
  readonly contradicted: readonly string[];
}

/** Where poller, sweep and messages agree, in every list of a run. */
export const nothingWrong = {
  repeated: [],
  wrongStarts: [],
  unknown: [],
  contradictions: [],
  contradicted: [],
  untrue: [],
};

interface Examined {
  readonly catalogue: SimulatedCatalogue;
  readonly known: Known;
  /** Whether runs were killed. */
  readonly killed: boolean;
}

/** What was published twice or started wrongly, what readers do not know, and ids with two bodies. */
export function examined(
  accepted: readonly { readonly id: string; readonly body: string }[],
  { catalogue, known, killed }: Examined,
): Findings {
  const [repeated, wrongStarts]: [string[], string[]] = [[], []];
  /** Whether a sweep that was killed had found and recorded what a row starts from. */
  const wasFound = ({ fact, to, before }: { fact: string; to: string | null; before: bigint }): boolean =>
    accepted.some(({ body }) => {
      const event = JSON.parse(body) as PanelEvent;
      const said = statementsOf(event).some((one) => one.fact === fact && one.to === to);
      return said && (parseInstant(event.time) ?? 0n) < before;
    });
  const bodies = new Map<string, string>();
  const contradictions: string[] = [];
  for (const { id, body } of accepted) {
    const before = bodies.get(id);
    if (before !== undefined && before !== body) contradictions.push(id);
    if (before !== undefined) continue;
    bodies.set(id, body);
    const event = JSON.parse(body) as PanelEvent;
    const { change } = event.data;
    const via = 'via' in change && change.via === 'listing' ? 'listing' : 'row';
    const since = parseInstant(event.time) ?? 0n;
    for (const { fact, to, from } of statementsOf(event)) {
      const earlier = known.get(fact);
      // Of the past, where something later is known: a late row, or what a sweep recorded before it was killed.
      const isRecorded = via === 'listing' && killed;
      const isPast =
        earlier !== undefined &&
        (since < earlier.since || (isRecorded && earlier.from === to && from !== earlier.value));
      // A late row is not what is so now, whatever was found after it was written. Versions are ordered by their numbers.
      const isLate = event.data.late && (earlier?.via === 'row' || !fact.endsWith(' major'));
      if (isPast && (isLate || (isRecorded && earlier.via === 'row'))) continue;
      const what = `${via} ${fact}: ${from} → ${to} (known: ${earlier?.value} by ${earlier?.via})`;
      const isSame = earlier?.value === to;
      // A row may state again what an earlier one stated, such as a rating; it repeats no change that a sweep found.
      if (isSame && (via === 'listing' || (earlier.via === 'listing' && since <= earlier.since))) {
        repeated.push(what);
      }
      // A row names what its panel was called, and its version, also where no event said so.
      const isStated = via === 'row' && !fact.includes('rating');
      const isWrong = !isStated && from !== null && earlier !== undefined && from !== earlier.value;
      if (isWrong && !(killed && wasFound({ fact, to: from, before: since }))) wrongStarts.push(what);
      known.set(fact, { value: to, from, since, via });
    }
  }
  const unknown = [...readersOf(catalogue)].flatMap(([fact, { value }]) => {
    const reader = known.get(fact)?.value;
    return reader === value ? [] : [`${fact}: ${value} (known: ${reader})`];
  });
  const contradicted = brokenChains(accepted, { lateRowsBetween: true });
  return { repeated, wrongStarts, unknown, contradictions, contradicted };
}

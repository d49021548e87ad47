import { parseInstant } from '../../lambdas/clock/instant.ts';
import type { Rating } from '../../lambdas/events/changes.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import {
  nextMajor,
  nextMinor,
  regionNamed,
  type SimulatedCatalogue,
  type SimulatedPanel,
} from './simulated-catalogue.ts';
import { createSweepHarness } from './sweep-harness.ts';

/**
 * Transactions are held open over polls and sweeps, and panels change silently in between, are hidden, renamed,
 * cleared and set back, while runs are killed. At the end, readers must know each panel as it is, no event may say what
 * they knew, and each must start from what they knew.
 */

/** What went wrong in a run; all empty where poller and sweep agreed about what is so. */
interface KnowledgeRun {
  /** Events that said what readers knew from another event. */
  readonly repeated: readonly string[];
  /** Events that started from something else than what readers knew. */
  readonly wrongStarts: readonly string[];
  /** Facts that readers know otherwise than they are. */
  readonly unknown: readonly string[];
  /** Ids that were accepted with two bodies. */
  readonly contradictions: readonly string[];
  readonly crashes: number;
  /** Transactions that were open while a poll or a sweep read. */
  readonly heldOpen: number;
  /** Events found by comparing. */
  readonly silent: number;
}

class Crash extends Error {}

const levels: Readonly<Record<string, Rating>> = { 3: 'green', 2: 'amber', 1: 'red', 0: 'none' };
const lists: Readonly<Record<string, string>> = {
  3: 'Green List (high evidence)',
  2: 'Amber List (moderate evidence)',
  1: 'Red List (low evidence)',
};

interface Changing {
  readonly catalogue: SimulatedCatalogue;
  readonly panel: SimulatedPanel;
  /** When the transaction began: its rows have this time. */
  readonly at: bigint;
}

const regionIn = ({ held }: SimulatedPanel) => {
  const region = held[0];
  if (!region) throw new Error('the panel holds no region');
  return region;
};

/** Changes with rows, which show up at the end of their transaction. */
const logged: Readonly<Record<string, (changing: Changing) => void>> = {
  rate: ({ catalogue, panel, at }) => {
    const region = regionIn(panel);
    region.confidence_level = region.confidence_level === '3' ? '1' : '3';
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    catalogue.write(panel, `Classified Region: ${region.entity_name} as ${lists[region.confidence_level]}`, {
      ...aboutRegion(panel),
      at,
    });
  },
  promote: ({ catalogue, panel, at }) => {
    catalogue.setVersion(panel, nextMajor(panel.listed.version));
    catalogue.write(panel, `promoted panel to version ${panel.listed.version}`, { at });
  },
  rename: ({ catalogue, panel, at }) => {
    const before = panel.listed.name;
    panel.listed.name = `Panel ${panel.id}, ${catalogue.log.now}`;
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    catalogue.write(panel, `Panel name changed from ${before} to ${panel.listed.name}`, { at });
  },
  'remove and add a region': ({ catalogue, panel, at }) => {
    const removed = panel.held.length > 1 ? panel.held.pop() : undefined;
    if (removed) catalogue.write(panel, `removed region:${removed.entity_name} from the panel`, { at });
    else panel.held.push(regionNamed(`ISCA-${catalogue.log.now}`));
  },
  tag: ({ catalogue, panel, at }) => {
    const region = regionIn(panel);
    region.tags = [...region.tags, `tag-${catalogue.log.now}`];
    const text = `Tag ${region.tags.at(-1)} tag was added to Region: ${region.entity_name}.`;
    catalogue.write(panel, text, { ...aboutRegion(panel), at });
  },
  'clear all sources': ({ catalogue, panel, at }) => {
    const region = regionIn(panel);
    region.confidence_level = '0';
    catalogue.write(panel, `All sources for Region: ${region.entity_name} were removed`, {
      ...aboutRegion(panel),
      at,
    });
  },
};

/** Changes without a row. */
const silent: Readonly<Record<string, (changing: Changing) => void>> = {
  rate: ({ panel }) => {
    const region = regionIn(panel);
    region.confidence_level = region.confidence_level === '2' ? '1' : '2';
  },
  promote: ({ catalogue, panel }) => catalogue.setVersion(panel, nextMajor(panel.listed.version)),
  'raise the version': ({ catalogue, panel }) => catalogue.setVersion(panel, nextMinor(panel.listed.version)),
  'set the version back': ({ catalogue, panel }) => {
    const [major = 1, minor = 0] = panel.listed.version.split('.').map(Number);
    if (minor > 0) catalogue.setVersion(panel, `${major}.${minor - 1}`);
  },
  rename: ({ catalogue, panel }) => {
    panel.listed.name = `Panel ${panel.id}; ${catalogue.log.now}`;
  },
  tag: ({ catalogue, panel }) => {
    regionIn(panel).tags = [`silent-${catalogue.log.now}`];
  },
};

const aboutRegion = (panel: SimulatedPanel) => ({
  item_type: 'entity',
  entity_name: regionIn(panel).entity_name,
  entity_type: 'region',
});

/** Runs a catalogue, a poller and a sweep, and examines what was published. */
export async function simulateKnowledge(seed: number, crashRate = 0.01): Promise<KnowledgeRun> {
  let calm = true;
  let crashes = 0;
  const harness = createSweepHarness({
    seed,
    searchPages: 60,
    step: async (name) => {
      if (calm || random() >= crashRate) return;
      crashes += 1;
      throw new Crash(name);
    },
  });
  const { catalogue } = harness;
  const { log } = catalogue;
  const { random, clock } = log;
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  for (let id = 1; id <= 6; id += 1) catalogue.addPanel(id, `Panel ${id}`);
  for (const panel of catalogue.panels.values()) catalogue.write(panel, 'promoted panel to version 1.0');
  await harness.poll();
  await harness.sweep();
  const known = readersOf(catalogue);
  calm = false;

  /** Panels with an open transaction: its end locks out every other change of the panel. */
  const open = new Map<number, { readonly end: number; readonly commit: () => void }>();
  let heldOpen = 0;
  const commitDue = (until = clock.now()): void => {
    for (const [id, { end, commit }] of open) {
      if (end > until) continue;
      open.delete(id);
      commit();
    }
  };
  const pass = (milliseconds: number): void => {
    clock.pass(milliseconds);
    commitDue();
  };
  const change = (): void => {
    const panel = pick([...catalogue.panels.values()].filter(({ id }) => !open.has(id)));
    if (!panel) return;
    const at = log.now;
    const act = random() < 0.6 ? pick(Object.values(logged)) : pick(Object.values(silent));
    const commit = (): void => act?.({ catalogue, panel, at });
    if (random() < 0.5) commit();
    else open.set(panel.id, { end: clock.now() + Math.floor(random() * 120_000), commit });
  };
  const toggle = (): void => {
    const panel = pick([...catalogue.panels.values()].filter(({ id }) => !open.has(id)));
    if (!panel) return;
    if (log.hidden.has(panel.id)) {
      catalogue.show(panel.id, true);
      if (random() < 0.5) catalogue.write(panel, 'Panel status changed from internal to public');
    } else if (log.hidden.size < 2) catalogue.show(panel.id, false);
  };
  catalogue.betweenPages = () => {
    if (!calm && random() < 0.15) change();
    pass(300);
  };
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    if (open.size > 0) heldOpen += 1;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  };

  for (let step = 0; step < 25; step += 1) {
    for (let changes = Math.floor(random() * 4); changes > 0; changes -= 1) {
      change();
      pass(Math.floor(random() * 20_000));
    }
    if (random() < 0.1) toggle();
    if (random() < 0.7) await attempt(() => harness.poll());
    pass(Math.floor(random() * 60_000));
    if (random() < 0.4) await attempt(() => harness.sweep());
    if (random() < 0.3) pass(Math.floor(random() * 3_600_000));
  }
  calm = true;
  catalogue.betweenPages = () => {};
  for (const id of [...log.hidden]) catalogue.show(id, true);
  for (let last = 0; last < 8; last += 1) {
    pass(1_800_000);
    await harness.poll();
    await harness.sweep();
  }
  return {
    ...examined(harness.accepted, { catalogue, known, killed: crashRate > 0 }),
    crashes,
    heldOpen,
    silent: harness.listed().length,
  };
}

/** What readers of the events know, by fact: `3 rating ISCA-3-Loss`. */
type Known = Map<string, { value: string; from?: string | null; since: bigint; via: string }>;

/** What is so. */
function readersOf({ panels }: SimulatedCatalogue): Known {
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
      if (entity?.type !== 'region') return [];
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

interface Examined {
  readonly catalogue: SimulatedCatalogue;
  readonly known: Known;
  /** Whether runs were killed. */
  readonly killed: boolean;
}

function examined(
  accepted: readonly { readonly id: string; readonly body: string }[],
  { catalogue, known, killed }: Examined,
): Pick<KnowledgeRun, 'repeated' | 'wrongStarts' | 'unknown' | 'contradictions'> {
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
      if ((event.data.late || isRecorded) && earlier?.via === 'row' && isPast) continue;
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
  return { repeated, wrongStarts, unknown, contradictions };
}

import { createPanel, importPanel } from './actions/panel.ts';
import { importEntities } from './actions/panel-entities.ts';
import { actAtRandom, type CuratorAction, setStatus } from './curator-action.ts';
import { drawEntity } from './draw.ts';
import { type Kind, kinds } from './kinds.ts';
import { nextSymbol, originalSymbol, panelTypes } from './listing.ts';
import type { EditSession, TimedRow } from './recording.ts';
import { silentKinds } from './silent-kinds.ts';
import { type CodeLine, dayOf, type Panel, type PanelType, type Software, versionOf } from './state.ts';
import { chance, pick, several, someOf, type Values } from './values.ts';
import * as words from './words.ts';

interface SoftwareOptions {
  readonly codeLine: CodeLine;
  readonly random: () => number;
  /** Microseconds since the epoch at which the history ends. */
  readonly now: number;
  /** About how many rows the history has. */
  readonly history: number;
}

/** A made-up catalogue in which words.curators act. */
export interface RunningSoftware {
  readonly codeLine: CodeLine;
  readonly panels: readonly Panel[];
  /** The rows of the history, oldest first, with those of internal panels. */
  readonly history: readonly TimedRow[];
  /**
   * Performs an action of the given kind, or of any, at a time in microseconds since the epoch, on any panel or a given one.
   * @throws {UnknownKindError} when there is no such kind
   * @throws {NothingToDoError} when nothing in the catalogue allows it
   */
  act(at: number, kind?: string, panelId?: number): CuratorAction;
  /** Performs an action on an internal panel, whose rows show up when it is made public; undefined without such a panel. */
  actInternally(at: number): CuratorAction | undefined;
  /** Performs a change that writes no row. */
  actSilently(at: number): CuratorAction;
  /** Deletes a panel for good and creates one that replaces it. Returns the rows of the new one. */
  replacePanel(at: number): CuratorAction;
  setStatus(panel: Panel, status: 'public' | 'internal', at: number): CuratorAction;
}

/** The history begins this long before it ends, in microseconds. */
const historyTime = 60 * 24 * 3600 * 1_000_000;

/** An unknown name of a kind of action. */
export class UnknownKindError extends Error {
  override readonly name = 'UnknownKindError';
  readonly code = 'unknown-kind';
}

/** Creates a made-up catalogue with a history until `now`. The same random numbers give the same catalogue. */
export function startSoftware({ codeLine, random, now, history }: SoftwareOptions): RunningSoftware {
  const software: Software = { codeLine, panels: [] };
  const values = realisticValues(random);
  const start = now - historyTime - fillingTime;
  const rows = [...fillCatalogue(software, values, start)];
  let at = start + fillingTime;
  while (rows.length < history) {
    // An action writes about two rows: the actions that are left share the time that is left.
    const actionsLeft = (history - rows.length) / 2 + 1;
    at += Math.floor(((now - at) / actionsLeft) * (0.5 + random()) * 0.9);
    rows.push(...actAtRandom(software, values, at).rows);
  }
  return {
    codeLine,
    panels: software.panels,
    history: rows,
    act: (time, kind, panelId) =>
      actAtRandom(software, values, time, {
        ...(kind !== undefined && { from: [kindNamed(kind)] }),
        panelId,
      }),
    actInternally: (time) =>
      software.panels.some(({ status }) => status === 'internal')
        ? actAtRandom(software, values, time, { place: 'internal' })
        : undefined,
    actSilently: (time) => actAtRandom(software, values, time, { from: everydaySilentKinds }),
    replacePanel: (time) => {
      const from = [kindNamed('delete a panel for good')];
      const { panel: old } = actAtRandom(software, values, time, { from });
      const { name, relevantDisorders: codes } = old;
      for (const { childPanels } of software.panels) {
        if (childPanels.includes(old)) childPanels.splice(childPanels.indexOf(old), 1);
      }
      const added = addPanel(software, values, time - panelFillingTime, {
        name,
        codes,
        status: 'public',
      });
      return { kind: 'replace a panel', ...added, truth: [], ambiguous: false };
    },
    setStatus: (panel, status, time) => setStatus(software, values, panel, { status, at: time }),
  };
}

/** A panel is deleted for good only where another one replaces it; a version goes back where somebody asks for it. */
const everydaySilentKinds = silentKinds.filter(
  ({ kind }) => kind !== 'delete a panel for good' && kind !== 'set the version back silently',
);

const everyKind = [...kinds, ...silentKinds];

function kindNamed(name: string): Kind {
  const found = everyKind.find(({ kind }) => kind === name);
  if (found) return found;
  const known = everyKind.map(({ kind }) => `"${kind}"`).join(', ');
  throw new UnknownKindError(`the sandbox has no action "${name}"; expected one of ${known}`);
}

const minute = 60_000_000;

/** Microseconds between the first rows of two panels. */
const panelApart = 90 * minute;

/** How long the first panels take, in microseconds; the history begins after them. */
const fillingTime = (words.panels.length + 1) * panelApart;

/**
 * Fills an empty catalogue from a time on (microseconds since the epoch): panels, most of them public, each with its first
 * entities imported in bulk, and a super panel. Returns the rows that this writes, oldest first.
 */
function fillCatalogue(software: Software, values: Values, at: number): readonly TimedRow[] {
  const rows: TimedRow[] = [];
  words.panels.forEach(([name, ...codes], index) => {
    // The last ones stay internal: their rows appear only when they are made public.
    const status = index >= words.panels.length - 2 ? 'internal' : 'public';
    rows.push(...addPanel(software, values, at + index * panelApart, { name, codes, status }).rows);
  });
  rows.push(...addSuperPanel(software, values, at + words.panels.length * panelApart));
  return rows;
}

/** From the row of a new panel to the rows of its first entities, in microseconds. */
const panelFillingTime = 5 * minute;

/** Adds a panel with its first entities, imported in bulk five minutes after it. */
function addPanel(
  software: Software,
  values: Values,
  at: number,
  { name, codes, status }: NewPanel & { readonly status: 'internal' | 'public' },
): { readonly panel: Panel; readonly rows: readonly TimedRow[] } {
  const session = newSession(software, values, at, { name, codes });
  const { panel } = session;
  software.panels.push(panel);
  panel.status = status;
  const { rows } = status === 'internal' ? importPanel(session) : createPanel(session);
  const later = { ...session, at: session.at + panelFillingTime };
  const imported = importEntities(later, firstEntities(values), () => values.integer(26_000, 64_000));
  panel.signOffs = panel.signOffs.map(({ day }) => ({ version: versionOf(panel), day }));
  return { panel, rows: [...rows, ...imported.rows] };
}

interface NewPanel {
  readonly name: string;
  readonly codes: readonly string[];
}

function newSession(
  { panels: existing, codeLine }: Software,
  values: Values,
  at: number,
  { name, codes }: NewPanel,
): EditSession & { readonly panel: Panel } {
  const panel: Panel = { ...drawPanel(values, { id: existing.length + 1, at }), archive: [] };
  panel.name = name;
  panel.description = `About ${name}`;
  panel.relevantDisorders = [...codes];
  panel.types = typesFor(panel.signOffs.length > 0);
  const person = { name: pick(values, words.curators), curator: true };
  return { codeLine, panel, person, at, gap: () => values.gap() };
}

function typesFor(signedOff: boolean): PanelType[] {
  return panelTypes.filter(
    ({ slug }) => slug === 'gms-rare-disease' || (signedOff && slug === 'gms-signed-off'),
  );
}

function firstEntities(values: Values): ReturnType<typeof drawEntity>[] {
  const types = [
    ...Array.from({ length: values.integer(5, 9) }, () => 'gene' as const),
    'str',
    'region',
  ] as const;
  const entities = types.map((type) => drawEntity(values, type));
  return [...new Map(entities.map((entity) => [entity.name, entity])).values()];
}

function addSuperPanel(software: Software, values: Values, at: number): readonly TimedRow[] {
  const session = newSession(software, values, at, { name: words.superPanelName, codes: [] });
  session.panel.childPanels = software.panels.slice(0, 3);
  session.panel.types = panelTypes.filter(({ slug }) => slug === 'superpanel');
  software.panels.push(session.panel);
  return createPanel(session).rows;
}

interface PanelStart {
  readonly id: number;
  readonly at: number;
}

/** A panel without entities, at version 0.0. */
export function drawPanel(values: Values, { id, at }: PanelStart): Panel {
  const name = values.panelName();
  return {
    id,
    name,
    description: `About ${name}`,
    status: 'public',
    major: 0,
    minor: 0,
    versionCreated: at,
    types: someOf(values, 30, panelTypes),
    diseaseGroup: pick(values, [
      'Neurology and neurodevelopmental disorders',
      'Cardiovascular disorders',
      '',
    ]),
    diseaseSubGroup: pick(values, ['Motor and sensory disorders', '']),
    relevantDisorders: several(values, 0, 2, () => values.disorder()),
    hpoTerms: several(values, 0, 2, () => values.hpoTerm()),
    childPanels: [],
    signOffs: chance(values, 40) ? [{ version: '0.0', day: dayOf(at) }] : [],
    entities: [],
  };
}

/** Values as words.curators and reviewers of a real catalogue would enter them. */
function realisticValues(random: () => number): Values {
  const integer = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  // What is renamed says so in its name, as in real catalogues, and never takes another's.
  const revised = (name: string): string =>
    `${name.replace(/ \(rev\. \d+\)$/, '')} (rev. ${integer(2, 9999)})`;
  /** The present symbols of genes that HGNC has renamed, by their first ones. */
  const replaced = new Map<string, string>();
  const values: Values = {
    integer,
    comment: () => pick(values, words.comments),
    modeOfInheritance: () => pick(values, words.modesOfInheritance),
    modeOfPathogenicity: () => pick(values, words.modesOfPathogenicity),
    penetrance: () => pick(values, ['Complete', 'Incomplete', 'unknown']),
    phenotype: () => pick(values, words.phenotypes),
    publication: () => {
      const number = String(integer(20_000_000, 39_999_999));
      return chance(values, 30) ? `PMID: ${number}` : number;
    },
    transcript: () => `NM_${String(integer(1, 999_999)).padStart(6, '0')}.${integer(1, 5)}`,
    source: () => pick(values, words.sources),
    tag: () => pick(values, words.tags),
    geneSymbol() {
      const symbol = pick(values, words.genes);
      return replaced.get(symbol) ?? symbol;
    },
    symbolReplacing(symbol) {
      const next = nextSymbol(symbol);
      replaced.set(originalSymbol(symbol), next);
      return next;
    },
    strName: (before) => (before ? revised(before) : pick(values, words.strs)),
    regionName: (before) => (before ? revised(before) : pick(values, words.regions)),
    verboseName: () => pick(values, words.verboseNames),
    panelName: (before) => (before ? revised(before) : pick(values, words.panels)[0]),
    disorder: () => `R${integer(10, 400)}`,
    hpoTerm: () => `HP:${String(integer(1, 9_999_999)).padStart(7, '0')}`,
    personName: () => pick(values, [...words.curators, ...words.reviewers]),
    gap: () => integer(400, 27_000),
  };
  return values;
}

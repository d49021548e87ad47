import { createPanel, editPanel, importPanel, isPublic } from './actions/panel.ts';
import { importEntities } from './actions/panel-entities.ts';
import { drawEntity } from './draw.ts';
import { type Kind, kinds } from './kinds.ts';
import { panelTypes } from './listing.ts';
import type { ActionInput, EditSession, Outcome, TimedRow } from './recording.ts';
import { promoteSilently, silentKinds } from './silent-kinds.ts';
import {
  type CodeLine,
  dayOf,
  type Entity,
  type Panel,
  type PanelType,
  type Person,
  raiseMajorVersion,
  raiseVersion,
  type Software,
  versionOf,
} from './state.ts';
import {
  chance,
  curators,
  panelNames,
  pick,
  realisticValues,
  reviewers,
  several,
  someOf,
  superPanelName,
  type Values,
} from './values.ts';

interface SoftwareOptions {
  readonly codeLine: CodeLine;
  readonly random: () => number;
  /** Microseconds since the epoch at which the history ends. */
  readonly now: number;
  /** About how many rows the history has. */
  readonly history: number;
}

/** A made-up catalogue in which curators act. */
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
const fillingTime = (panelNames.length + 1) * panelApart;

/**
 * Fills an empty catalogue from a time on (microseconds since the epoch): panels, most of them public, each with its first
 * entities imported in bulk, and a super panel. Returns the rows that this writes, oldest first.
 */
function fillCatalogue(software: Software, values: Values, at: number): readonly TimedRow[] {
  const rows: TimedRow[] = [];
  panelNames.forEach(([name, ...codes], index) => {
    // The last ones stay internal: their rows appear only when they are made public.
    const status = index >= panelNames.length - 2 ? 'internal' : 'public';
    rows.push(...addPanel(software, values, at + index * panelApart, { name, codes, status }).rows);
  });
  rows.push(...addSuperPanel(software, values, at + panelNames.length * panelApart));
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
  const person = { name: pick(values, curators), curator: true };
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
  const session = newSession(software, values, at, { name: superPanelName, codes: [] });
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

/** What a curator or reviewer did. */
export interface CuratorAction extends Outcome {
  readonly kind: string;
  readonly panel: Panel;
}

const frequent: readonly Kind[] = [...kinds, ...silentKinds].flatMap((kind) =>
  Array.from({ length: kind.weight ?? 0 }, () => kind),
);

/**
 * Performs a random action of a person with the right to it, on a public panel and an entity of it. The kinds are as
 * frequent as in a real catalogue.
 *
 * @param at microseconds since the epoch
 * @param options `from` limits the kinds; `place` chooses an internal panel; `panelId` takes that panel alone
 * @throws {NothingToDoError} when no panel and no entity allows such an action
 */
function actAtRandom(
  software: Software,
  values: Values,
  at: number,
  { from = frequent, place = 'public', panelId }: ActionsWanted = {},
): CuratorAction {
  const isOrdinary = from === frequent && place === 'public' && panelId === undefined;
  const internal = isOrdinary ? panelToPublish(software) : undefined;
  if (internal) return setStatus(software, values, internal, { status: 'public', at });
  for (let tries = 0; tries < 2000; tries += 1) {
    const chosen = pick(values, from);
    const input = inputFor(chosen, { software, values, at, place, panelId });
    if (input) return perform(chosen, input, software);
  }
  const wanted = from.map(({ kind }) => `"${kind}"`).join(', ');
  const where = panelId === undefined ? 'the made-up catalogue' : `panel ${panelId}`;
  throw new NothingToDoError(`${where} has nothing on which to do ${wanted}`);
}

interface ActionsWanted {
  readonly from?: readonly Kind[];
  readonly place?: Place;
  readonly panelId?: number | undefined;
}

/** Nothing in the catalogue allows an action. */
export class NothingToDoError extends Error {
  override readonly name = 'NothingToDoError';
  readonly code = 'nothing-to-do';
}

/** With fewer public panels than this, an internal one is made public, so that a long history does not run out of them. */
const LEAST_PUBLIC = 8;

function panelToPublish({ panels }: Software): Panel | undefined {
  if (panels.filter(isPublic).length >= LEAST_PUBLIC) return undefined;
  return panels.find(({ status }) => status === 'internal');
}

/** Makes a panel public or internal, by its form. */
function setStatus(
  software: Software,
  values: Values,
  panel: Panel,
  { status, at }: { readonly status: 'public' | 'internal'; readonly at: number },
): CuratorAction {
  const person = { name: pick(values, curators), curator: true };
  const session = { codeLine: software.codeLine, panel, person, at, gap: () => values.gap() };
  return { kind: 'edit a panel', panel, ...editPanel(session, { status }) };
}

function perform(kind: Kind, input: ActionInput, { panels }: Software): CuratorAction {
  const { session, otherPanel } = input;
  const superPanel = session.panel.childPanels.length > 0;
  const before = versionOf(session.panel);
  // The promotion of a super panel writes no row.
  const silent = superPanel && kind.kind === 'promote a panel';
  const outcome = silent ? promoteSilently(session.panel, session.at) : kind.perform(input);
  if (versionOf(session.panel) !== before) {
    const promoted = !versionOf(session.panel).startsWith(`${before.split('.')[0]}.`);
    for (const parent of panels.filter(({ childPanels }) => childPanels.includes(session.panel))) {
      if (promoted) raiseMajorVersion(parent, session.at);
      else raiseVersion(parent, session.at);
    }
  }
  return { kind: kind.kind, panel: kind.kind === 'copy an entity' ? otherPanel : session.panel, ...outcome };
}

interface InputWanted {
  readonly software: Software;
  readonly values: Values;
  readonly at: number;
  readonly place: Place;
  readonly panelId: number | undefined;
}

function inputFor(
  kind: Kind,
  { software, values, at, place: given, panelId }: InputWanted,
): ActionInput | undefined {
  if (kind.only !== undefined && kind.only !== software.codeLine) return undefined;
  const open = software.panels.filter(isPublic);
  const places = placesOf(kind, software, given).filter(({ id }) => panelId === undefined || id === panelId);
  if (places.length === 0) return undefined;
  const panel = pick(values, places);
  const otherPanel = pick(values, open);
  // A super panel holds no entity of its own.
  const held =
    panel.childPanels.length > 0 && kind.where === 'super panel' ? otherPanel.entities : panel.entities;
  const fitting = held.filter(({ type }) => kind.on === undefined || kind.on === type);
  const entity = fitting.length > 0 ? pick(values, fitting) : undefined;
  if (!entity || panel === otherPanel) return undefined;
  const person = personFor(kind, entity, values);
  if (!person || !realistic(kind, panel, entity)) return undefined;
  const session = { codeLine: software.codeLine, panel, person, at, gap: () => values.gap() };
  const input = { session, entity, otherPanel, panels: software.panels, values };
  return kind.possible?.(input) === false ? undefined : input;
}

function placesOf({ where }: Kind, { panels }: Software, given: Place): readonly Panel[] {
  if (where === 'internal panel' || given === 'internal')
    return panels.filter(({ status }) => status === 'internal');
  const open = panels.filter(isPublic);
  return where === 'super panel' ? open.filter(({ childPanels }) => childPanels.length > 0) : open;
}

/** Where an action takes place: on the public panels, or on an internal one. */
type Place = 'public' | 'internal';

/** Reviewers review, and change or delete their own reviews; curators do everything else. */
function personFor({ kind, by }: Kind, { reviewers: reviewed }: Entity, values: Values): Person | undefined {
  const personAmong = (names: readonly string[], curator: boolean): Person | undefined =>
    names.length > 0 ? { name: pick(values, names), curator } : undefined;
  if (by === 'reviewer') return personAmong(reviewed, false);
  if (by === 'new reviewer') {
    const others = reviewers.filter((name) => !reviewed.includes(name));
    return personAmong(others, false);
  }
  if (kind === 'add a gene' && chance(values, 30)) return personAmong(reviewers, false);
  return personAmong(curators, true);
}

/** Whether a real curator would have a reason for such an action. */
function realistic({ kind }: Kind, panel: Panel, entity: Entity): boolean {
  if (kind === 'edit a comment' || kind === 'delete a comment') return entity.comments.length > 0;
  if (kind.startsWith('clear ')) return entity.sources.length > 0;
  if (kind === 'delete an entity') return panel.entities.length > 4;
  return true;
}

import { editPanel, isPublic } from './actions/panel.ts';
import { type Kind, kinds } from './kinds.ts';
import type { ActionInput, Outcome } from './recording.ts';
import { promoteSilently, silentKinds } from './silent-kinds.ts';
import {
  type Entity,
  type Panel,
  type Person,
  raiseMajorVersion,
  raiseVersion,
  type Software,
  versionOf,
} from './state.ts';
import { chance, pick, type Values } from './values.ts';
import { curators, reviewers } from './words.ts';

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
export function actAtRandom(
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
export function setStatus(
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

import type { ActionInput } from '../action-input.ts';
import { editPanel } from '../actions/edit-panel.ts';
import { isPublic } from '../actions/panel.ts';
import { type Kind, kinds } from '../kinds.ts';
import type { Outcome } from '../recording.ts';
import { promoteSilently, silentKinds } from '../silent-kinds.ts';
import { type Entity, type Panel, type Person, raiseVersion, type Software, versionOf } from '../state.ts';
import { chance, pick, type Values } from '../values.ts';
import { curators, reviewers } from './words.ts';

/** What a curator or reviewer did. */
export interface CuratorAction extends Outcome {
  readonly kind: string;
  readonly panel: Panel;
}

const frequent: readonly Kind[] = [...kinds, ...silentKinds].flatMap((kind) =>
  Array.from({ length: kind.often }, () => kind),
);

/**
 * Lets a person who may do it act on a public panel and an entity of it, at a time in microseconds since the
 * epoch. The action is drawn by how often each kind is taken in a real catalogue; `kind` asks for one kind.
 */
export function actAtRandom(software: Software, values: Values, at: number, kind?: Kind): CuratorAction {
  const internal = kind === undefined ? panelToPublish(software) : undefined;
  if (internal) return setStatus(software, values, internal, { status: 'public', at });
  for (let tries = 0; tries < 200; tries += 1) {
    const chosen = kind ?? pick(values, frequent);
    const input = inputFor(chosen, software, values, at);
    if (input) return perform(chosen, input, software);
  }
  throw new Error(`nowhere in the made-up catalogue to ${kind?.kind ?? 'do anything'}`);
}

/** Fewer public panels than this, and an internal one is published, so that a long history does not run out of them. */
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
  // A super panel is promoted without a word.
  const silent = superPanel && kind.kind === 'promote a panel';
  const outcome = silent ? promoteSilently(session.panel, session.at) : kind.play(input);
  if (versionOf(session.panel) !== before) {
    const promoted = !versionOf(session.panel).startsWith(`${before.split('.')[0]}.`);
    for (const parent of panels.filter(({ childPanels }) => childPanels.includes(session.panel))) {
      if (promoted) promoteSilently(parent, session.at);
      else raiseVersion(parent, session.at);
    }
  }
  return { kind: kind.kind, panel: kind.kind === 'copy an entity' ? otherPanel : session.panel, ...outcome };
}

function inputFor(kind: Kind, software: Software, values: Values, at: number): ActionInput | undefined {
  if (kind.only !== undefined && kind.only !== software.codeLine) return undefined;
  const open = software.panels.filter(isPublic);
  const panel = pick(values, open);
  const otherPanel = pick(values, open);
  const fitting = panel.entities.filter(({ type }) => kind.on === 'any' || kind.on === type);
  const entity = fitting.length > 0 ? pick(values, fitting) : undefined;
  if (!entity || panel === otherPanel) return undefined;
  const person = personFor(kind, entity, values);
  if (!person || !realistic(kind, panel, entity)) return undefined;
  const session = { codeLine: software.codeLine, panel, person, at, gap: () => values.gap() };
  return { session, entity, otherPanel, values };
}

const byReviewers = ['review', 'comment for the first time'];
const bySameReviewer = [
  'comment again',
  'edit a review',
  'edit a comment',
  'delete a comment',
  'delete a review',
];

/** Reviews are given by anybody, taken back by those who gave them; the rest is the curators' work. */
function personFor({ kind }: Kind, entity: Entity, values: Values): Person | undefined {
  const personAmong = (names: readonly string[], curator: boolean): Person | undefined =>
    names.length > 0 ? { name: pick(values, names), curator } : undefined;
  if (bySameReviewer.includes(kind)) return personAmong(entity.reviewers, false);
  if (byReviewers.includes(kind)) {
    return personAmong(
      reviewers.filter((name) => !entity.reviewers.includes(name)),
      false,
    );
  }
  if (kind === 'add a gene' && chance(values, 30)) return personAmong(reviewers, false);
  return personAmong(curators, true);
}

/** Whether there is something to do it to. */
function realistic({ kind }: Kind, panel: Panel, entity: Entity): boolean {
  if (kind === 'edit a comment' || kind === 'delete a comment') return entity.comments.length > 0;
  if (kind.startsWith('clear ')) return entity.sources.length > 0;
  if (kind === 'delete an entity') return panel.entities.length > 4;
  return true;
}

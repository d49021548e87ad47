import { type Kind, kinds } from './kinds.ts';
import { actAtRandom, type CuratorAction, setStatus } from './realistic/curator-action.ts';
import { addPanel, fillCatalogue, fillingTime, panelFillingTime } from './realistic/fill-catalogue.ts';
import { realisticValues } from './realistic/values.ts';
import type { TimedRow } from './recording.ts';
import { silentKinds } from './silent-kinds.ts';
import type { CodeLine, Panel, Software } from './state.ts';

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

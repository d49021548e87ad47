import type { Clock } from '../../lambdas/run/clock.ts';
import { isPublic } from '../software/actions/panel.ts';
import { hashIdOf, type ListingStyle, panelDetail, panelItem, regionItem } from '../software/listing.ts';
import type { TimedRow } from '../software/recording.ts';
import { type CuratorAction, type RunningSoftware, startSoftware } from '../software/software.ts';
import { type CodeLine, type Panel, panelAt, type SignOff } from '../software/state.ts';
import { renderCreated, type Zone } from '../software/values.ts';
import type { ActivityFeed, Content, PanelDetails, SignedOffVersion } from './content.ts';

interface MadeUpCatalogueOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly codeLine: CodeLine;
  readonly zone: Zone;
  /** About how many rows there are at the start. */
  readonly history: number;
  readonly feed: ActivityFeed;
}

/** A made-up catalogue in which curators act. */
export interface MadeUpCatalogue extends Content {
  readonly details: PanelDetails;
  /**
   * Performs an action of the given kind, or of any, dated `lateMs` ago. Returns the kind and the rows.
   *
   * @throws {UnknownKindError} when the kind is unknown
   */
  act(what?: ActionWanted): PublishedAction;
  /** Performs an action: now and then late, at the same time as another, without a row, or on the status of a panel. */
  actAtRandom(): void;
}

/** An action to take; any, where a field is absent. */
export interface ActionWanted {
  readonly kind?: string;
  readonly lateMs?: number;
  readonly panel?: number;
}

/** An action that was taken, and the rows of the log that show it. */
export interface PublishedAction {
  readonly kind: string;
  /** The panel on which it was done. */
  readonly panel: { readonly id: number; readonly name: string };
  /** Empty where the change writes none, or the panel is not public. */
  readonly rows: readonly object[];
}

/** Microseconds from the first to the last row of an action. Actions start this long ago, so that no row lies in the future. */
const longestAction = 500_000;

/** Makes up a catalogue with its history, and adds the history to the feed. */
export function createMadeUpCatalogue({
  clock,
  random,
  codeLine,
  zone,
  history,
  feed,
}: MadeUpCatalogueOptions): MadeUpCatalogue {
  const now = (): number => clock.now() * 1000 - longestAction;
  const software = startSoftware({ codeLine, random, now: now(), history });

  const showPublic = panelWatch(software, feed);
  const served = ({ at, row }: TimedRow): object => ({ created: renderCreated(at, zone), ...row });
  const publish = (rows: readonly TimedRow[]): readonly object[] => {
    const items = rows.map((timed) => ({ at: timed.at, panelId: timed.row.panel_id, row: served(timed) }));
    feed.add(items);
    showPublic();
    return items.map(({ row }) => row);
  };
  const publishAction = ({ kind, panel: { id, name }, rows }: CuratorAction): PublishedAction => ({
    kind,
    panel: { id, name },
    rows: publish(rows),
  });
  publish(software.history);

  const moment = (lateMs = 0): number => now() - Math.round(lateMs * 1000) + Math.floor(random() * 1000);
  const style = { codeLine, zone };
  const oldUntil = software.history.at(Math.floor(software.history.length / 3))?.at ?? 0;
  return {
    feed,
    details: madeUpDetails(software.panels, { ...style, oldUntil }),
    panels: () =>
      software.panels
        .filter(isPublic)
        .toSorted((one, other) => one.name.localeCompare(other.name))
        .map((panel) => panelItem(panel, style)),
    regions: () =>
      software.panels.filter(isPublic).flatMap((panel) => {
        const item = panelItem(panel, style);
        return panel.entities
          .filter(({ type }) => type === 'region')
          .map((region) => regionItem(region, item));
      }),
    act: ({ kind, lateMs, panel } = {}) => publishAction(software.act(moment(lateMs), kind, panel)),
    actAtRandom() {
      const what = random();
      if (what < 0.05) publishAction(software.act(moment((1 + random() * 40) * 60_000)));
      else if (what < 0.1) for (const tied of simultaneousActions(software, moment())) publishAction(tied);
      else if (what < 0.15) publishAction(togglePublic(software, random, moment()));
      else if (what < 0.18) publishAction(software.actSilently(moment()));
      else if (what < 0.19) publishAction(software.actInternally(moment()) ?? software.act(moment()));
      else if (what < 0.191) publishAction(software.replacePanel(moment()));
      else publishAction(software.act(moment()));
    },
  };
}

/** Two actions with the same times. */
function simultaneousActions(software: RunningSoftware, at: number): readonly CuratorAction[] {
  const actions = [software.act(at), software.act(at)];
  return actions.map((action) => ({ ...action, rows: action.rows.map((timed) => ({ ...timed, at })) }));
}

/** Makes an internal panel public, or, where there is none, a public one internal; by the form, or without a row. */
function togglePublic(software: RunningSoftware, random: () => number, at: number): CuratorAction {
  const internal = software.panels.find((panel) => panel.status === 'internal');
  const open = software.panels.filter((panel) => isPublic(panel) && panel.childPanels.length === 0);
  const panel = internal ?? open[Math.floor(random() * open.length)];
  if (!panel) throw new Error('the made-up catalogue has no panel to publish or withdraw');
  const status = internal ? 'public' : 'internal';
  if (random() < 0.7) return software.setStatus(panel, status, at);
  panel.status = status;
  return { kind: `make ${status} silently`, panel, rows: [], truth: [], ambiguous: false };
}

/** Returns a function that hides the panels that have become internal since its last call, and shows those that have become public. */
function panelWatch({ panels }: RunningSoftware, feed: ActivityFeed): () => void {
  const wasPublic = new Map<number, boolean>();
  return () => {
    for (const panel of panels) {
      const now = isPublic(panel);
      if (wasPublic.get(panel.id) === now) continue;
      wasPublic.set(panel.id, now);
      if (now) feed.reveal(panel.id);
      else feed.hide(panel.id);
    }
  };
}

interface MadeUpDetailsOptions extends ListingStyle {
  /** Versions that ended earlier (microseconds since the epoch) are archived in the form of old software. */
  readonly oldUntil: number;
}

/** The panels of a made-up catalogue, from the history that its software kept. */
function madeUpDetails(panels: readonly Panel[], options: MadeUpDetailsOptions): PanelDetails {
  const panelOf = (id: number): Panel | undefined => panels.find((panel) => panel.id === id);
  const atVersion = (panel: Panel, version: string): object | undefined => {
    const state = panelAt(panel, version);
    if (!state) return undefined;
    const ended = panel.archive?.find((archived) => archived.panel === state)?.endedAt;
    const old = ended !== undefined && ended < options.oldUntil;
    return panelDetail(state, options, old ? 'old archive' : 'today');
  };
  return {
    panelId: (key) => panels.find((panel) => String(panel.id) === key || hashIdOf(panel) === key)?.id ?? null,
    present(id) {
      const panel = panelOf(id);
      return panel && isPublic(panel) ? panelDetail(panel, options) : undefined;
    },
    version(id, version) {
      const panel = panelOf(id);
      const state = panel && atVersion(panel, version);
      return panel && state && { ...state, signed_off: signOffOf(panel, version)?.day ?? null };
    },
    reviewers(id, list, name) {
      const panel = panelOf(id);
      if (!panel || !isPublic(panel)) return undefined;
      const held = [panel, ...panel.childPanels].flatMap(({ entities }) => entities);
      return held.find((entity) => entity.name === name && `${entity.type}s` === list)?.reviewers;
    },
    signOffs: () =>
      panels.filter(isPublic).flatMap((panel) =>
        panel.signOffs.flatMap(({ version, day }): readonly SignedOffVersion[] => {
          const state = atVersion(panel, version);
          return state ? [{ panelId: panel.id, day, panel: state }] : [];
        }),
      ),
  };
}

function signOffOf({ signOffs }: Panel, version: string): SignOff | undefined {
  return signOffs.findLast((signOff) => signOff.version === version);
}

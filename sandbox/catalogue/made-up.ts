import type { Clock } from '../../lambdas/clock/clock.ts';
import { isPublic } from '../software/actions/panel.ts';
import type { Deed } from '../software/believable/work.ts';
import { panelItem, regionItem } from '../software/listing.ts';
import type { TimedRow } from '../software/sheet.ts';
import { type RunningSoftware, startSoftware } from '../software/software.ts';
import type { CodeLine } from '../software/state.ts';
import type { ActivityFeed } from './activity-feed.ts';
import type { Content } from './content.ts';
import { renderCreated, type Zone } from './created.ts';

export interface MadeUpOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly codeLine: CodeLine;
  readonly zone: Zone;
  /** About how many rows there are at the start. */
  readonly history: number;
  readonly feed: ActivityFeed;
}

/** A made-up catalogue, and the people at work on it. */
export interface MadeUp extends Content {
  /** Somebody does something, of a kind where it is asked for; `lateMs` ago. Gives the kind and the rows. */
  act(what?: { readonly kind?: string; readonly lateMs?: number }): Done;
  /** Somebody does something; now and then late, at the very time of another, or to a whole panel. */
  happen(): void;
}

export interface Done {
  readonly kind: string;
  readonly rows: readonly object[];
}

/** Rows of one action are up to this far apart in all: actions begin so long ago that none lies in the future. */
const longestAction = 500_000;

/** Makes up a catalogue with its history, and puts the history into the feed. */
export function makeUp({ clock, random, codeLine, zone, history, feed }: MadeUpOptions): MadeUp {
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
  const tell = ({ kind, rows }: Deed): Done => ({ kind, rows: publish(rows) });
  publish(software.history);

  const moment = (lateMs = 0): number => now() - Math.round(lateMs * 1000) + Math.floor(random() * 1000);
  const style = { codeLine, zone };
  return {
    feed,
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
    act: ({ kind, lateMs } = {}) => tell(software.act(moment(lateMs), kind)),
    happen() {
      const what = random();
      if (what < 0.05) tell(software.act(moment((1 + random() * 40) * 60_000)));
      else if (what < 0.1) for (const tied of tiedDeeds(software, moment())) tell(tied);
      else if (what < 0.15) tell(turnPanel(software, random, moment()));
      else tell(software.act(moment()));
    },
  };
}

/** Two deeds with the same times. */
function tiedDeeds(software: RunningSoftware, at: number): readonly Deed[] {
  const deeds = [software.act(at), software.act(at)];
  return deeds.map((deed) => ({ ...deed, rows: deed.rows.map((timed) => ({ ...timed, at })) }));
}

/** Makes an internal panel public, or, where there is none, a public one internal; by the form, or without a row. */
function turnPanel(software: RunningSoftware, random: () => number, at: number): Deed {
  const internal = software.panels.find((panel) => panel.status === 'internal');
  const open = software.panels.filter((panel) => isPublic(panel) && panel.childPanels.length === 0);
  const panel = internal ?? open[Math.floor(random() * open.length)];
  if (!panel) throw new Error('the made-up catalogue has no panel to publish or to withdraw');
  const status = internal ? 'public' : 'internal';
  if (random() < 0.7) return software.setStatus(panel, status, at);
  panel.status = status;
  return { kind: `make ${status} silently`, panel, rows: [], truth: [], ambiguous: false };
}

/** Hides the panels that were made internal since the last look, and reveals those made public. */
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

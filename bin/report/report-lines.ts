import { eventKinds } from '../../lambdas/events/changes.ts';
import type { EntityChange } from '../../lambdas/subscriptions/entity-history.ts';
import type { PanelChanges } from '../../lambdas/subscriptions/net-changes.ts';
import { dayOf } from '../history-options.ts';
import type { Report } from './report.ts';

/** A heading of a report with what stands below it, in plain text: the layouts escape it. */
interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** A panel in a report. */
export interface PanelSection {
  readonly heading: string;
  readonly facts: readonly string[];
  readonly sections: readonly Section[];
}

const labels = { gene: '', str: 'STR ', region: 'region ' } as const;
const nameOf = ({ entity, formerly }: EntityChange): string =>
  `${labels[entity.type]}${entity.name}${formerly.length > 0 ? ` (formerly ${formerly.join(', ')})` : ''}`;

const stateNames = { absent: 'not on the panel', unknown: 'unknown', none: 'unrated' } as const;
const stateOf = (state: EntityChange['to']): string =>
  state in stateNames ? stateNames[state as 'none'] : state;

/** `BRCA1: red → amber → green (2026-11-02, version 1.4, Jo Example)` */
function lineOf(change: EntityChange): string {
  const who = [change.at.slice(0, 10), change.version && `version ${change.version}`, change.actor?.trim()];
  return `${nameOf(change)}: ${change.steps.map(stateOf).join(' → ')} (${who.filter(Boolean).join(', ')})`;
}

const lists = [
  ['Now green', 'nowGreen'],
  ['No longer green', 'noLongerGreen'],
  ['Other changes of rating', 'otherRatings'],
  ['Added', 'added'],
  ['Removed', 'removed'],
  ['Changed and changed back', 'changedBack'],
] as const;

/** One panel, greens first. An entity that is listed as green is not listed again as added or removed. */
export function panelSection(panel: PanelChanges, withCatalogue: boolean): PanelSection {
  const listed = new Set<EntityChange>();
  const sections = lists.flatMap(([heading, list]): Section[] => {
    const changes = panel[list].filter((change) => !listed.has(change));
    for (const change of changes) listed.add(change);
    return changes.length === 0 ? [] : [{ heading, lines: changes.map(lineOf) }];
  });
  const renamed = panel.renamedEntities.map(({ from, to }) => `${from} → ${to}`);
  if (renamed.length > 0) sections.push({ heading: 'Renamed or replaced', lines: renamed });
  const version = panel.version === null ? '' : `, version ${panel.version}`;
  return {
    heading: `${withCatalogue ? `${panel.catalogue}: ` : ''}${panel.name} (panel ${panel.id}${version})`,
    facts: factsOf(panel),
    sections,
  };
}

function factsOf({ promoted, signedOff, renamed, panel, rest }: PanelChanges): readonly string[] {
  const others = Object.entries(rest).map(([kind, count]) => `${count} × ${kind}`);
  return [
    promoted && `Promoted to version ${promoted.to}${promoted.from ? ` from ${promoted.from}` : ''}`,
    signedOff === true && 'Signed off',
    signedOff === false && 'Sign-off withdrawn',
    renamed && `Renamed from ${renamed.from} to ${renamed.to}`,
    ...panel.map((what) => `Panel ${what}`),
    others.length > 0 && `Also: ${others.join(', ')}`,
  ].filter((fact) => typeof fact === 'string');
}

/** `1 panel`, `1,200 events`. */
const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en-GB')} ${thing}${count === 1 ? '' : 's'}`;

/** What the reader must know before the rest: totals, and what is missing. */
export function summaryLines({ changes, gaps }: Report): readonly string[] {
  const sum = (list: (typeof lists)[number][1]): number =>
    changes.panels.reduce((total, panel) => total + panel[list].length, 0);
  const promoted = changes.panels.filter((panel) => panel.promoted).length;
  const signedOff = changes.panels.filter((panel) => panel.signedOff === true).length;
  return [
    `${counted(changes.events, 'event')} on ${counted(changes.panels.length, 'panel')}: ${sum('nowGreen')} now green, ${sum('noLongerGreen')} no longer green, ${sum('otherRatings')} other changes of rating, ${sum('changedBack')} changed back; ${counted(promoted, 'panel')} promoted, ${signedOff} signed off.`,
    ...gaps.map(
      ({ catalogue, since, until }) =>
        `Not covered: the history of ${catalogue} is not complete from ${dayOf(since)} to ${dayOf(until)}. Changes of that time may be missing.`,
    ),
    changes.withoutPanel > 0
      ? `${changes.withoutPanel} rows of the log could not be read; they are in the topic "${eventKinds['activity.unclassified'].topic}".`
      : '',
  ].filter(Boolean);
}

import type { Annotation, Changes, EventKindName, PanelChange } from '../events/changes.ts';
import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import { type PanelEvent, typeName } from '../events/schemas.ts';
import { signedOffBy } from '../panels/facts-of.ts';
import type { Difference } from './difference.ts';
import type { ListedPanel } from './listed.ts';

/** What the activity log states of one panel. */
interface LogOfPanel {
  /** The panel as the later listing shows it; null where it vanished. */
  readonly after: ListedPanel | null;
  /** Events of the panel since the earlier listing, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Events of the panel in the day before that: the catalogue may count its entities later than it logs them. */
  readonly dayBefore: readonly PanelEvent[];
}

/**
 * Whether the activity log explains a difference: the events that were published of the panel since the earlier
 * listing lead to what the later listing shows.
 */
export function explainedByLog(found: Difference, log: LogOfPanel): boolean {
  const about = found.entity?.name;
  const own = about === undefined ? log.events : log.events.filter(({ data }) => data.entity?.name === about);
  switch (found.kind) {
    case 'panel.promoted':
      return changesOf(own, 'panel.promoted').some(
        ({ version }) => majorOf(version) >= majorOf(found.change.version),
      );
    case 'panel.signed-off':
      return changesOf(own, 'panel.signed-off').at(-1)?.signedOff === found.change.signedOff;
    case 'panel.published':
      return hasKind(own, 'panel.published') || hasKind(own, 'panel.created');
    case 'panel.withdrawn':
      return hasKind(own, 'panel.withdrawn') || hasKind(own, 'panel.deleted');
    case 'panel.changed':
      return found.change.changes.every((change) => panelChangeExplained(change, log));
    case 'entity.added':
      return hasKind(own, 'entity.added') || renamed(log.events).some(({ to }) => to === about);
    case 'entity.removed':
      return hasKind(own, 'entity.removed') || renamed(log.events).some(({ from }) => from === about);
    case 'entity.classified':
      return changesOf(own, 'entity.classified').at(-1)?.to === found.change.to;
    case 'entity.tags-changed':
      return tagsLogged(found.change, changesOf(own, 'entity.tags-changed'));
    case 'entity.annotated':
      return found.change.changes.every((change) => annotationLogged(change, own));
    default:
      return false;
  }
}

function changesOf<Kind extends EventKindName>(
  events: readonly PanelEvent[],
  kind: Kind,
): readonly Changes[Kind][] {
  const own = events.filter(({ type }) => type === typeName(kind));
  return own.map(({ data }) => data.change as Changes[Kind]);
}

const hasKind = (events: readonly PanelEvent[], kind: EventKindName): boolean =>
  changesOf(events, kind).length > 0;
const renamed = (events: readonly PanelEvent[]) => changesOf(events, 'entity.renamed');

const majorOf = (version: string): number => versionNumbers(version)?.[0] ?? 0;

/** Whether a version is another one or comes after it; false where one of them is no version. */
function reaches(version: string, other: string): boolean {
  const [reached, wanted] = [versionNumbers(version), versionNumbers(other)];
  return reached !== null && wanted !== null && compareVersions(reached, wanted) >= 0;
}

/** The entity types whose numbers a panel states. */
const counted = { numberOfGenes: 'gene', numberOfStrs: 'str', numberOfRegions: 'region' } as const;

function panelChangeExplained(
  { field, from, to }: PanelChange,
  { after, events, dayBefore }: LogOfPanel,
): boolean {
  if (field === 'version') {
    return events.some(({ data }) => data.panel?.version && reaches(data.panel.version, String(to)));
  }
  if (field === 'numberOfGenes' || field === 'numberOfStrs' || field === 'numberOfRegions') {
    const moved = Number(to) - Number(from);
    const logged = netOf(events, counted[field]);
    const lately = logged + netOf(dayBefore, counted[field]);
    return (
      moved === logged || (Math.sign(moved) === Math.sign(lately) && Math.abs(moved) <= Math.abs(lately))
    );
  }
  // The log calls the relevant disorders "related panels".
  const logged = field === 'relevantDisorders' ? 'relatedPanels' : field;
  const stated = changesOf(events, 'panel.changed')
    .flatMap(({ changes }) => changes)
    .findLast((change) => change.field === logged);
  if (!stated) return field === 'status' && hasKind(events, 'panel.published');
  if (stated.to === undefined) return true;
  return field === 'types' ? sameTypes(stated.to, to, after) : same(stated.to, to);
}

/** Entities of a type that the log added less those that it removed. */
function netOf(events: readonly PanelEvent[], type: (typeof counted)[keyof typeof counted]): number {
  const own = events.filter(({ data }) => data.entity?.type === type);
  return changesOf(own, 'entity.added').length - changesOf(own, 'entity.removed').length;
}

/** The log lists the type that means "signed off" among the others; the comparison leaves it out. */
function sameTypes(stated: PanelChange['to'], to: PanelChange['to'], after: ListedPanel | null): boolean {
  const signedOff = after?.types.filter(({ slug }) => signedOffBy([slug])).map(({ name }) => name) ?? [];
  return (
    Array.isArray(stated) &&
    same(
      stated.filter((name) => !signedOff.includes(name)),
      to,
    )
  );
}

function tagsLogged(
  found: Changes['entity.tags-changed'],
  stated: readonly Changes['entity.tags-changed'][],
): boolean {
  const last = new Map<string, boolean>();
  for (const { added, removed } of stated) {
    for (const tag of removed) last.set(tag, false);
    for (const tag of added) last.set(tag, true);
  }
  return (
    found.added.every((tag) => last.get(tag) === true) &&
    found.removed.every((tag) => last.get(tag) === false)
  );
}

function annotationLogged({ field, aspect, to }: Annotation, events: readonly PanelEvent[]): boolean {
  const stated = changesOf(events, 'entity.annotated')
    .flatMap(({ changes }) => changes)
    .findLast((change) => change.field === field && change.aspect === aspect);
  // The wording of a new descriptive name is that of a new name.
  if (!stated) return field === 'verboseName' && renamed(events).some((change) => change.to === to);
  return stated.to === undefined || same(stated.to, to);
}

/** Lists are compared without their order, which the log does not keep. */
function same(one: Annotation['to'], other: Annotation['to']): boolean {
  const [first, second] = [one, other].map((value) =>
    Array.isArray(value)
      ? JSON.stringify(value.map((item) => item.trim()).toSorted())
      : (value?.trim() ?? ''),
  );
  return first === second;
}

import { capitalize } from '../../lambdas/events/capitalize.ts';
import { type EventKindName, eventKinds } from '../../lambdas/events/changes.ts';
import { isBeforeVersion } from '../../lambdas/events/panel-version.ts';
import { isNextVersion } from '../../lambdas/filters/between-versions.ts';
import type { EntityChange, EntityStatus } from '../../lambdas/filters/entity-history.ts';
import {
  type ChangeListWords,
  changeLists,
  changeListWords,
  greenListWords,
} from '../../lambdas/filters/green-turn.ts';
import type { InheritanceChange } from '../../lambdas/filters/inheritance-change.ts';
import { countOfList, type PanelChanges } from '../../lambdas/filters/net-changes.ts';
import type { ComparedStates, Report, ReportVersions } from '../../lambdas/questions/read-report.ts';
import { dayOf } from '../../lambdas/run/day-of.ts';
import { howMuchWasRead } from '../../lambdas/store/history/read-part.ts';
import {
  nothingFoundWords,
  readWords,
  saysNothing,
  unreadSentences,
} from '../../lambdas/store/history/read-part-words.ts';
import { countedWords, kindWords } from '../../lambdas/words/event-labels.ts';
import { codesOf, panelStepWords } from '../../lambdas/words/panel-words.ts';
import { signOffChangeWords } from '../../lambdas/words/sign-off-words.ts';
import { INHERITANCE_CHANGED, inheritanceWords, ratedAsWords } from '../../lambdas/words/value-words.ts';

/** A section of a report in plain text: the layouts escape it. */
export interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
  /** The lines as rows of a table, where they are changes of entities. */
  readonly rows?: readonly ChangeRow[];
}

/** One change of an entity, in parts. */
export interface ChangeRow {
  readonly entity: string;
  /** The panel, where the table has rows of several. */
  readonly panel?: { readonly name: string; readonly heading: string };
  readonly steps: readonly { readonly state: EntityStatus; readonly text: string }[];
  readonly version: string;
  readonly day: string;
  readonly actor: string;
}

/** A panel in a report. */
export interface PanelSection {
  readonly heading: string;
  readonly facts: readonly string[];
  readonly sections: readonly Section[];
}

const labels = { gene: '', str: 'STR ', region: 'region ' } as const;
/** `BRCA1, HGNC:1100`: two genes may have had one symbol. */
const nameOf = ({
  entity: { type, name, hgncId },
  formerly,
}: Pick<EntityChange, 'entity' | 'formerly'>): string =>
  `${labels[type]}${name}${hgncId ? `, ${hgncId}` : ''}${formerly.length > 0 ? ` (formerly ${formerly.join(', ')})` : ''}`;

const stateNames = { absent: 'not on the panel', unknown: 'unknown', none: 'unrated' } as const;
const stateOf = (state: EntityChange['to']): string =>
  state in stateNames ? stateNames[state as 'none'] : state;

function rowOf(change: EntityChange): ChangeRow {
  return {
    entity: nameOf(change),
    steps: change.steps.map((state) => ({ state, text: stateOf(state) })),
    version: change.version ?? '',
    day: change.at.slice(0, 10),
    actor: change.actor?.trim() ?? '',
  };
}

/** Of a change that the states of two versions show alone. */
const withoutRow = 'no row that was read states it';

/** `BRCA1: red → amber → green (2026-11-02, version 1.4, Jo Example)` */
function lineOf({ entity, steps, version, day, actor }: ChangeRow): string {
  const who = [day, version && `version ${version}`, actor].filter(Boolean).join(', ');
  return `${entity}: ${steps.map(({ text }) => text).join(' → ')} (${who || withoutRow})`;
}

/** `BRCA1: BIALLELIC → MONOALLELIC (green, 2026-11-02, version 1.4, Jo Example)` */
function inheritanceLine({ entity, from, to, rating, at, version, actor }: InheritanceChange): string {
  const who = [ratedAsWords(rating), at.slice(0, 10), version && `version ${version}`, actor?.trim()];
  const name = nameOf({ entity, formerly: [] });
  return `${name}: ${inheritanceWords(from)} → ${inheritanceWords(to)} (${who.filter(Boolean).join(', ')})`;
}

/** One panel, greens first. An entity that is listed as green is not listed again as added or removed. */
export function panelSection(panel: PanelChanges, withCatalogue: boolean): PanelSection {
  const sections = changeListWords.flatMap((what): Section[] => {
    const rows = panel.lists[what].map(rowOf);
    return rows.length === 0 ? [] : [{ heading: changeLists[what], lines: rows.map(lineOf), rows }];
  });
  const inheritance = panel.inheritance.map(inheritanceLine);
  if (inheritance.length > 0) sections.push({ heading: capitalize(INHERITANCE_CHANGED), lines: inheritance });
  const renamed = panel.renamedEntities.map(({ from, to }) => `${from} → ${to}`);
  if (renamed.length > 0) sections.push({ heading: 'Renamed or replaced', lines: renamed });
  return {
    heading: headingOf(panel, withCatalogue),
    facts: factsOf(panel),
    sections,
  };
}

/** `Hearing loss (R67)` */
const titleOf = ({ catalogue, name, disorders }: PanelChanges, withCatalogue: boolean): string =>
  `${withCatalogue ? `${catalogue}: ` : ''}${name}${codesOf({ relevantDisorders: disorders })}`;

function headingOf(panel: PanelChanges, withCatalogue: boolean): string {
  const version = panel.version === null ? '' : `, version ${panel.version}`;
  return `${titleOf(panel, withCatalogue)}, panel ${panel.id}${version}`;
}

/** The entities of all panels that are green now, and those that no longer are. */
export function greenSections(panels: readonly PanelChanges[], withCatalogue: boolean): readonly Section[] {
  return greenListWords.flatMap((what) => {
    const heading = changeLists[what];
    const rows = panels.flatMap((panel) => {
      const place = {
        name: titleOf(panel, withCatalogue),
        heading: headingOf(panel, withCatalogue),
      };
      return panel.lists[what].map((change) => ({ ...rowOf(change), panel: place }));
    });
    return rows.length === 0 ? [] : [{ heading, lines: rows.map(lineOf), rows }];
  });
}

function factsOf({ promoted, signOff, renamed, panel, rest }: PanelChanges): readonly string[] {
  const others = Object.entries(rest).map(([kind, count]) =>
    countedWords(count, kindWords[kind as EventKindName]),
  );
  return [
    promoted && `Promoted to version ${promoted.to}${promoted.from ? ` from ${promoted.from}` : ''}`,
    signOff && capitalize(signOffChangeWords(signOff)),
    renamed && `Renamed from ${renamed.from} to ${renamed.to}`,
    ...panel.map((what) => capitalize(panelStepWords[what])),
    others.length > 0 && `Also: ${others.join(', ')}`,
  ].filter((fact) => typeof fact === 'string');
}

/** Which of the two versions the history does not have. */
function versionWarnings({ from, to, first, last }: ReportVersions): readonly string[] {
  if (first === null || last === null)
    return ['Not covered: the history has no event of this panel with a version.'];
  return [
    isBeforeVersion(from, first) && !isNextVersion(from, first)
      ? `Not covered: the history has no event of this panel before version ${first}. Changes between ${from} and ${first} may be missing.`
      : '',
    to !== null && isBeforeVersion(last, to)
      ? `Not covered: the last event of this panel in the history is of version ${last}. Changes between ${last} and ${to} may be missing.`
      : '',
  ].filter(Boolean);
}

/** `1 panel`, `1,200 events`. */
const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en-GB')} ${thing}${count === 1 ? '' : 's'}`;

const typeWords = { gene: 'genes', str: 'STRs', region: 'regions' } as const;

/** What was compared, and what it shows beyond the rows. */
function comparedLines({ before, after, notCompared, unexplained }: ComparedStates): readonly string[] {
  const read = ({ version, source, readAt, sha256 }: ComparedStates['before']): string =>
    `${version} (${source === 'archive' ? 'at its end, by the archive' : 'as it was when it was read'}, read ${readAt.slice(0, 10)}, SHA-256 ${sha256})`;
  return [
    `Compared: version ${read(before)} with version ${read(after)}. Every net change of ratings and membership is here${notCompared.length > 0 ? `, apart from those of ${notCompared.map((type) => typeWords[type]).join(' and ')}: one of the two does not state them` : ''}.`,
    unexplained > 0
      ? `No row that was read states ${unexplained === 1 ? 'one change' : `${unexplained} of the changes`}: the two versions show ${unexplained === 1 ? 'it' : 'them'}.`
      : '',
  ].filter(Boolean);
}

/** The totals. */
export function summaryLines(report: Report): readonly string[] {
  const { changes, read, filter, versions, compared, isAnswer } = report;
  const asked = [
    ...(filter === '' ? [] : [`Only: ${filter}.`]),
    ...(compared ? comparedLines(compared) : []),
  ];
  const isOfTime = versions === undefined && compared === undefined;
  if (isOfTime && (howMuchWasRead(read) === 'nothing' || (!isAnswer && changes.events === 0)))
    return [...asked, nothingFoundWords('No event was found', read, isAnswer)];
  if (!isAnswer && changes.events === 0) return [...asked, `No event was found, ${saysNothing}.`];
  const sum = (list: ChangeListWords): number => countOfList(changes.panels, list);
  const promoted = changes.panels.filter((panel) => panel.promoted).length;
  const signedOff = changes.panels.filter(({ signOff }) => signOff?.signedOff).length;
  const inheritance = changes.panels.reduce((total, panel) => total + panel.inheritance.length, 0);
  const perhaps = sum('rated green, perhaps green before');
  const perhapsNot = sum('may no longer be green');
  return [
    ...asked,
    `${counted(changes.events, 'event')} on ${counted(changes.panels.length, 'panel')}${isOfTime ? ` ${readWords(read)}` : ''}: ${sum('now green')} now green, ${sum('no longer green')} no longer green, ${counted(sum('other change of rating'), 'other change')} of rating, ${sum('changed and changed back')} changed back; ${counted(promoted, 'panel')} promoted, ${signedOff} with a version signed off.`,
    inheritance > 0
      ? `${inheritance} more ${inheritance === 1 ? 'is' : 'are'} green, or may be, with another mode of inheritance than before.`
      : '',
    perhaps > 0
      ? `${perhaps} more ${perhaps === 1 ? 'was' : 'were'} rated green and may have been green before.`
      : '',
    perhapsNot > 0 ? `${perhapsNot} more may no longer be green.` : '',
    perhaps + perhapsNot > 0
      ? 'For these, the rows that were read do not state the rating before or after the change. To read the ratings of older rows, begin a new folder with watch --learn-since DAY.'
      : '',
  ].filter(Boolean);
}

/** Sentences about what is missing, for the head of the report. */
export function warningLines({ changes, read, warnings, versions, compared }: Report): readonly string[] {
  return [
    ...warnings,
    ...(versions ? versionWarnings(versions) : []),
    ...(versions || compared ? [] : unreadSentences(read, dayOf)),
    changes.withoutPanel > 0
      ? `${changes.withoutPanel} rows of the log could not be read; they are in the topic "${eventKinds['activity.unclassified'].topic}".`
      : '',
  ].filter(Boolean);
}

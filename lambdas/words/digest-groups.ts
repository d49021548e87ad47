import type { PanelEvent } from '../events/schemas.ts';
import { type ChangeListWords, changeLists, changeListWords, greenListWords } from '../filters/green-turn.ts';
import { countOfList, type NetChanges, type PanelChanges } from '../filters/net-changes.ts';
import { type ChangeLine, panelColumns } from './change-csv.ts';
import { cleanLine } from './clean-text.ts';
import type { InheritanceChange } from './digest-entities.ts';
import type { PanelFormat } from './digest-format.ts';
import { listTones } from './digest-lists.ts';
import type { GroupBlock, Row } from './notice.ts';
import { panelStepWords } from './panel-words.ts';
import { phrase } from './phrase.ts';

interface DigestGroups {
  /** What turned green, and what is green no longer. */
  readonly ratings: readonly GroupBlock[];
  readonly others: readonly GroupBlock[];
}

/** The groups of ratings, and the others, those of panels among them. */
export function groupsOf({ panels }: NetChanges, format: PanelFormat): DigestGroups {
  const group = (words: ChangeListWords): GroupBlock => ({
    kind: 'group',
    count: countOfList(panels, words),
    title: changeLists[words],
    tone: listTones[words],
    parts: panels.flatMap((panel) => {
      const rows = panel.lists[words].map((change) => format.row(panel, change));
      return rows.length > 0 ? [format.part(panel, rows)] : [];
    }),
  });
  const filled = (groups: readonly GroupBlock[]): readonly GroupBlock[] =>
    groups.filter(({ parts }) => parts.length > 0);
  const others = changeListWords.filter((words) => !greenListWords.includes(words));
  return {
    ratings: filled(greenListWords.map(group)),
    others: filled([
      promotedGroup(panels, format),
      ...others.map(group),
      renamedGroup(panels, format),
      otherPanelGroup(panels, format),
    ]),
  };
}

/** The group of entities whose mode of inheritance changed, and whose rating did not; none where there are none. */
export function inheritanceGroup(
  changes: readonly InheritanceChange[],
  net: NetChanges,
  format: PanelFormat,
): readonly GroupBlock[] {
  const parts = net.panels.flatMap((panel) => {
    const rows = changes
      .filter(({ panel: { catalogue, id } }) => panel.catalogue === catalogue && panel.id === id)
      .map(format.inheritanceRow);
    return rows.length > 0 ? [format.part(panel, rows)] : [];
  });
  if (parts.length === 0) return [];
  return [{ kind: 'group', title: INHERITANCE, tone: 'amber', count: changes.length, parts }];
}

const INHERITANCE = 'Inheritance changed';

/** The group of corrections, also of those that leave no net change: who acted on the false event must see it. */
export function correctionGroup(
  events: readonly PanelEvent[],
  net: NetChanges,
  format: PanelFormat,
): readonly GroupBlock[] {
  const parts = net.panels.flatMap((panel) => {
    const rows = events
      .filter(({ data }) => data.catalogue === panel.catalogue && data.panel?.id === panel.id)
      .map(format.correctionRow);
    return rows.length > 0 ? [format.part(panel, rows)] : [];
  });
  if (parts.length === 0) return [];
  return [{ kind: 'group', title: CORRECTION, tone: 'amber', count: events.length, parts }];
}

const CORRECTION = 'Correction';

interface DigestOthers {
  readonly inheritance: readonly InheritanceChange[];
  readonly corrections: readonly PanelEvent[];
}

/** The lines of the digest's file: one for each correction, and for each change of an entity. */
export function fileLines(
  { panels }: NetChanges,
  { inheritance, corrections }: DigestOthers,
  format: PanelFormat,
): readonly ChangeLine[] {
  const corrected = corrections.map((event) => ({
    what: CORRECTION.toLowerCase(),
    ...format.correctionCells(event),
  }));
  const changes = changeListWords.flatMap((what) =>
    panels.flatMap((panel) => panel.lists[what].map((change) => ({ what, ...format.cells(panel, change) }))),
  );
  const others = inheritance.map((change) => ({
    what: INHERITANCE.toLowerCase(),
    ...format.inheritanceCells(change),
  }));
  const renamed = panels.flatMap((panel) =>
    panel.renamedEntities.map(({ from, to }) => ({
      what: RENAMED.toLowerCase(),
      ...panelColumns(panel),
      'gene, STR or region': cleanLine(to),
      formerly: cleanLine(from),
    })),
  );
  return [...corrected, ...changes, ...others, ...renamed];
}

const RENAMED = 'Renamed or replaced';

function renamedGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const parts = panels.flatMap((panel) => {
    const rows = panel.renamedEntities.map(({ from, to }) => ({
      name: cleanLine(to),
      words: phrase`was ${cleanLine(from)}`,
    }));
    return rows.length > 0 ? [format.part(panel, rows)] : [];
  });
  const count = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  return { kind: 'group', title: RENAMED, tone: 'plain', count, parts };
}

function promotedGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const words = (panel: PanelChanges): readonly (string | false | null)[] => [
    panel.promoted &&
      `${panel.promoted.from ? `${panel.promoted.from} → ` : 'promoted to '}${panel.promoted.to}`,
    ...format.signOffs(panel).words,
  ];
  const group = panelGroup('Promoted or signed off', panels, words, format);
  const byTitle = new Map(panels.map((panel) => [format.title(panel), format.signOffs(panel).lines]));
  const withLines = (row: Row): Row => {
    const more = byTitle.get(row.name) ?? [];
    return more.length > 0 ? { ...row, more } : row;
  };
  return { ...group, parts: group.parts.map((part) => ({ ...part, rows: part.rows.map(withLines) })) };
}

function otherPanelGroup(panels: readonly PanelChanges[], format: PanelFormat): GroupBlock {
  const words = ({ panel, renamed }: PanelChanges): readonly (string | false | null)[] => [
    renamed && `was named ${renamed.from}`,
    ...panel.map((what) => panelStepWords[what]),
  ];
  return panelGroup('Other changes of panels', panels, words, format);
}

function panelGroup(
  title: string,
  panels: readonly PanelChanges[],
  words: (panel: PanelChanges) => readonly (string | false | null)[],
  format: PanelFormat,
): GroupBlock {
  const rows = panels.flatMap((panel): readonly Row[] => {
    const phrases = words(panel).filter(Boolean);
    return phrases.length > 0
      ? [{ name: format.title(panel), words: phrase`${cleanLine(phrases.join(', '))}` }]
      : [];
  });
  return {
    kind: 'group',
    title,
    tone: 'plain',
    count: rows.length,
    parts: rows.length > 0 ? [{ rows }] : [],
  };
}

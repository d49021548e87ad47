import { safeJson } from '../../run/safe-json.ts';
import { byteOrderMark, csvLine } from '../../words/csv.ts';
import type { AnalysedCase } from './analysis.ts';
import type { Effect } from './compare-analyses.ts';
import type { Impact } from './impact.ts';
import { wordOf } from './impact-words.ts';

const effectFields = (effect: Effect) => ({
  change: effect.change,
  panelId: effect.panelId,
  panelName: effect.panelName,
  panelFormerly: effect.panelFormerly.join('; ') || null,
  type: effect.type,
  name: effect.name,
  hgncId: effect.hgncId,
  ratingThen: wordOf(effect.ratingThen),
  ratingNow: wordOf(effect.ratingNow),
  inheritanceThen: effect.inheritanceThen,
  inheritanceNow: effect.inheritanceNow,
  version: effect.version,
});

type Fields = Readonly<Record<string, string | number | null>>;

/** A row for each change, and one for each reason why something is unknown. */
export function changeRows(impact: Impact): readonly Fields[] {
  const none = { panelId: null, panelName: null, panelFormerly: null, type: null, name: null, hgncId: null };
  return [
    ...impact.effects.map(({ effect, cases, analysed }) => ({
      ...effectFields(effect),
      analysedWith: analysed.join(' '),
      cases,
      reason: null,
    })),
    ...impact.unknown.map(({ why, cases }) => ({
      change: 'unknown',
      ...none,
      ratingThen: null,
      ratingNow: null,
      inheritanceThen: null,
      inheritanceNow: null,
      version: null,
      analysedWith: null,
      cases,
      reason: why,
    })),
  ];
}

/** A row for each change of each case, in the order of the file; cases without one have none. */
export async function* caseRows(impact: Impact, cases: AsyncIterable<AnalysedCase>): AsyncIterable<Fields> {
  const shown = new Set<string>();
  for await (const { case: name } of cases) {
    if (shown.has(name)) continue;
    shown.add(name);
    const own = impact.of(name);
    for (const effect of own?.effects ?? []) yield { case: name, ...effectFields(effect), reason: null };
    for (const reason of own?.unknown ?? []) {
      yield { case: name, change: 'unknown', ...noEffect, reason };
    }
  }
}

const noEffect = {
  panelId: null,
  panelName: null,
  panelFormerly: null,
  type: null,
  name: null,
  hgncId: null,
  ratingThen: null,
  ratingNow: null,
  inheritanceThen: null,
  inheritanceNow: null,
  version: null,
};

/** Rows as text, with the headings of CSV before the first; versions such as 8.10 stay text in a spreadsheet. */
export function rowWriter(format: 'csv' | 'ndjson'): (row: Fields) => string {
  if (format === 'ndjson') return (row) => `${safeJson(JSON.stringify(row))}\n`;
  let headed = false;
  return (row) => {
    const heading = headed ? '' : byteOrderMark + csvLine(Object.keys(row));
    headed = true;
    return heading + csvLine(Object.entries(row).map(spreadsheetCell));
  };
}

/** A spreadsheet reads the version 8.10 as the number 8.1; v8.10 stays what it is. Names of cases stay as they are. */
const spreadsheetCell = ([column, value]: readonly [string, Fields[string]]): Fields[string] =>
  (column === 'version' || column === 'analysedWith') && typeof value === 'string'
    ? value.replaceAll(/(?<!\S)(?=\d)/g, 'v')
    : value;

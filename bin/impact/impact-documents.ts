import type { AnalysedCase } from '../../lambdas/impact/analysed-case.ts';
import type { Effect, Impact } from '../../lambdas/impact/impact.ts';
import { byteOrderMark, csvLine } from '../../lambdas/messages/csv.ts';
import { htmlText } from '../../lambdas/messages/html-text.ts';
import { ratingWord } from '../../lambdas/messages/rating-words.ts';
import { reportStyle } from '../../lambdas/messages/report-style.ts';
import { printable } from '../../lambdas/text/printable.ts';
import { safeJson } from '../../lambdas/text/safe-json.ts';

/** What stands above a list of effects. */
export interface ImpactHeading {
  /** Which version counts: a clause. */
  readonly counts: string;
  /** When it was computed, as a person reads it. */
  readonly at: string;
  /** What a line of a case is. */
  readonly line: 'line' | 'item';
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** The sentences that say what was compared, and for how many cases nothing is known. */
function summaryOf(
  { cases, affected, notKnown, unaffected }: Impact,
  { counts, at }: ImpactHeading,
): readonly string[] {
  return [
    `${counted(cases, 'case')} compared with ${counts}, ${at}.`,
    `${counted(affected, 'case')} with a change, ${counted(unaffected, 'case')} without one, ${counted(notKnown, 'case')} of which not everything is known.`,
  ];
}

/** `PALB2 on Breast cancer (R208): 214 cases`, for a person. */
export function impactTable(impact: Impact, heading: ImpactHeading): string {
  const group = (change: Effect['change'], title: string): readonly string[] => {
    const own = impact.effects.filter(({ effect }) => effect.change === change);
    if (own.length === 0) return [];
    return [
      '',
      `${title} (${own.length})`,
      ...own
        .map(({ effect, cases, analysed }) =>
          printable(
            `${effectWords(effect)}: ${counted(cases, 'case')}, analysed with ${analysed.slice(0, 6).join(', ')}${analysed.length > 6 ? ', …' : ''}`,
          ),
        )
        .map((line) => `  ${line}`),
    ];
  };
  const unknown = impact.unknown.map(
    ({ why, cases, lines }) =>
      `  ${printable(`${counted(cases, 'case')}: ${why}${linesOf(lines, heading)}`)}`,
  );
  return [
    ...summaryOf(impact, heading),
    ...group('now green', 'NOW GREEN'),
    ...group('no longer green', 'NO LONGER GREEN'),
    ...(unknown.length > 0 ? ['', `NOT KNOWN (${impact.unknown.length})`, ...unknown] : []),
    '',
  ].join('\n');
}

const linesOf = (lines: readonly number[], { line }: ImpactHeading): string =>
  lines.length === 0 ? '' : ` (${line} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''})`;

/** `PALB2 on Breast cancer, version 4.12 (amber → green)` */
function effectWords({ name, type, panelName, version, ratingThen, ratingNow }: Effect): string {
  const entity = type === 'gene' ? name : `${name} (${type})`;
  const at = version === '' ? '' : `, version ${version}`;
  return `${entity} on ${panelName}${at} (${wordOf(ratingThen)} → ${wordOf(ratingNow)})`;
}

const wordOf = (rating: Effect['ratingThen']): string => {
  if (rating === null) return 'unknown';
  return rating === 'absent' ? 'not on the panel' : ratingWord(rating);
};

const effectFields = (effect: Effect) => ({
  change: effect.change,
  panelId: effect.panelId,
  panelName: effect.panelName,
  type: effect.type,
  name: effect.name,
  hgncId: effect.hgncId,
  ratingThen: wordOf(effect.ratingThen),
  ratingNow: wordOf(effect.ratingNow),
  version: effect.version,
});

type Fields = Readonly<Record<string, string | number | null>>;

/** A row for each change, and one for each reason why something is unknown. */
export function changeRows(impact: Impact): readonly Fields[] {
  const none = { panelId: null, panelName: null, type: null, name: null, hgncId: null };
  return [
    ...impact.effects.map(({ effect, cases, analysed }) => ({
      ...effectFields(effect),
      analysedWith: analysed.join(' '),
      cases,
      reason: null,
    })),
    ...impact.unknown.map(({ why, cases }) => ({
      change: 'not known',
      ...none,
      ratingThen: null,
      ratingNow: null,
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
      yield { case: name, change: 'not known', ...noEffect, reason };
    }
  }
}

const noEffect = {
  panelId: null,
  panelName: null,
  type: null,
  name: null,
  hgncId: null,
  ratingThen: null,
  ratingNow: null,
  version: null,
};

/** Rows as text, with the headings of CSV before the first; versions such as 8.10 stay text in a spreadsheet. */
export function rowWriter(format: 'csv' | 'ndjson'): (row: Fields) => string {
  if (format === 'ndjson') return (row) => `${safeJson(JSON.stringify(row))}\n`;
  let headed = false;
  return (row) => {
    const heading = headed ? '' : byteOrderMark + csvLine(Object.keys(row));
    headed = true;
    return heading + csvLine(Object.values(row).map(spreadsheetCell));
  };
}

/** A spreadsheet reads 8.10 as the number 8.1; v8.10 stays what it is. */
const spreadsheetCell = (value: string | number | null): string | number | null =>
  typeof value === 'string' && /^\d+\.\d+$/.test(value) ? `v${value}` : value;

/** The entities that are green now, one HGNC id or name a line, for a pipeline of the laboratory's own. */
export function geneList({ effects }: Impact): string {
  const names = effects
    .filter(({ effect }) => effect.change === 'now green')
    .map(({ effect }) => effect.hgncId ?? effect.name);
  return [...new Set(names)].map((name) => `${printable(name)}\n`).join('');
}

/** One page that needs no other file and no network. */
export function impactHtml(impact: Impact, heading: ImpactHeading): string {
  const cell = (value: string | number): string => `<td>${htmlText(printable(String(value)))}</td>`;
  const rows = impact.effects.map(
    ({ effect, cases, analysed }) =>
      `<tr><th scope="row">${htmlText(printable(effect.name))}</th>${cell(effect.change)}${cell(`${wordOf(effect.ratingThen)} → ${wordOf(effect.ratingNow)}`)}${cell(effect.panelName)}${cell(effect.version)}${cell(analysed.join(', '))}${cell(cases)}</tr>`,
  );
  const unknown = impact.unknown.map(
    ({ why, cases }) => `<li>${htmlText(printable(`${counted(cases, 'case')}: ${why}`))}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Cases that changes of panels concern</title>
<style>${reportStyle}</style>
<main>
<h1>Cases that changes of panels concern</h1>
${summaryOf(impact, heading)
  .map((line) => `<p>${htmlText(line)}</p>`)
  .join('\n')}
${unknown.length > 0 ? `<div class="warning"><p>Not known:</p><ul>${unknown.join('')}</ul></div>` : ''}
<table><thead><tr>${['Gene', 'Change', 'Rating', 'Panel', 'Version', 'Analysed with', 'Cases'].map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</main>
</html>
`;
}

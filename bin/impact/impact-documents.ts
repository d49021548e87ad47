import { type Effect, effectKinds } from '../../lambdas/questions/impact/compare-analyses.ts';
import type { Impact } from '../../lambdas/questions/impact/impact.ts';
import {
  countedWords,
  type ImpactHeading,
  panelWords,
  summaryOf,
  valuesOf,
} from '../../lambdas/questions/impact/impact-words.ts';
import { printable } from '../../lambdas/run/printable.ts';
import { pageText, printedPage } from '../../lambdas/words/html-page.ts';

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
            `${effectWords(effect)}: ${countedWords(cases, 'case')}, analysed with ${analysed.slice(0, 6).join(', ')}${analysed.length > 6 ? ', …' : ''}`,
          ),
        )
        .map((line) => `  ${line}`),
    ];
  };
  const unknown = impact.unknown.map(
    ({ why, cases, lines }) =>
      `  ${printable(`${countedWords(cases, 'case')}: ${why}${linesOf(lines, heading)}`)}`,
  );
  return [
    ...summaryOf(impact, heading),
    ...effectKinds.flatMap((change) => group(change, change.toUpperCase())),
    ...(unknown.length > 0 ? ['', `UNKNOWN (${impact.unknown.length})`, ...unknown] : []),
    '',
  ].join('\n');
}

const linesOf = (lines: readonly number[], { line }: ImpactHeading): string =>
  lines.length === 0 ? '' : ` (${line} ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''})`;

/** `PALB2 on Breast cancer, version 4.12 (amber → green)` */
function effectWords(effect: Effect): string {
  const { name, type, version } = effect;
  const entity = type === 'gene' ? name : `${name} (${type})`;
  const at = version === '' ? '' : `, version ${version}`;
  return `${entity} on ${panelWords(effect)}${at} (${valuesOf(effect)})`;
}

/** The entities that are green now, one HGNC id or name a line, for a pipeline of the laboratory's own. */
export function geneList({ effects }: Impact): string {
  const names = effects
    .filter(({ effect }) => effect.change === 'now green')
    .map(({ effect }) => effect.hgncId ?? effect.name);
  return [...new Set(names)].map((name) => `${printable(name)}\n`).join('');
}

/** One page that needs no other file and no network. */
export function impactHtml(impact: Impact, heading: ImpactHeading): string {
  const cell = (value: string | number): string => `<td>${pageText(String(value))}</td>`;
  const rows = impact.effects.map(
    ({ effect, cases, analysed }) =>
      `<tr><th scope="row">${pageText(effect.name)}</th>${cell(effect.change)}${cell(valuesOf(effect))}${cell(panelWords(effect))}${cell(effect.version)}${cell(analysed.join(', '))}${cell(cases)}</tr>`,
  );
  const unknown = impact.unknown.map(
    ({ why, cases }) => `<li>${pageText(`${countedWords(cases, 'case')}: ${why}`)}</li>`,
  );
  const heads = ['Gene', 'Change', 'Before and now', 'Panel', 'Version', 'Analysed with', 'Cases'];
  return printedPage({
    title: 'Cases that changes of panels concern',
    body: [
      ...summaryOf(impact, heading).map((line) => `<p>${pageText(line)}</p>`),
      unknown.length > 0 ? `<div class="warning"><p>Unknown:</p><ul>${unknown.join('')}</ul></div>` : '',
      `<table><thead><tr>${heads.map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>`,
      `<tbody>\n${rows.join('\n')}\n</tbody></table>`,
    ],
  });
}

import { pageText, printedPage } from '../../lambdas/words/html-page.ts';
import type { ReportDocument } from './document.ts';
import type { ChangeRow, PanelSection, Section } from './report-lines.ts';

/** A report as one HTML page that needs no other file and no network. */
export function htmlOf({ title, summary, warnings = [], overview = [], sections }: ReportDocument): string {
  const anchors = new Map(sections.map(({ heading }, at) => [heading, `s${at + 1}`]));
  const body = [
    ...summary.map((line) => `<p>${pageText(line)}</p>`),
    ...warnings.map((line) => `<p class="warning">${pageText(line)}</p>`),
    ...overview.map((section) => `<section class="overview">${partOf(section, anchors, 'h2')}</section>`),
    ...sections.map((section) => sectionOf(section, anchors)),
  ];
  return printedPage({ title, body });
}

type Anchors = ReadonlyMap<string, string>;

function sectionOf({ heading, facts, sections }: PanelSection, anchors: Anchors): string {
  const parts = sections.map((section) => partOf(section, anchors, 'h3'));
  return `<section id="${anchors.get(heading)}"><h2>${pageText(heading)}</h2>${list(facts, 'facts')}${parts.join('')}</section>`;
}

function partOf({ heading, lines, rows }: Section, anchors: Anchors, level: 'h2' | 'h3'): string {
  const title = `<${level} class="${heading.toLowerCase().replaceAll(' ', '-')}">${pageText(heading)} <small>${lines.length}</small></${level}>`;
  return `${title}${rows ? table(rows, anchors) : list(lines)}`;
}

/** A table whose rows become blocks on a narrow screen; `data-label` is the column of a cell. */
function table(rows: readonly ChangeRow[], anchors: Anchors): string {
  const withPanel = rows.some(({ panel }) => panel !== undefined);
  const columns = [
    'Gene, STR or region',
    ...(withPanel ? ['Panel'] : []),
    'Rating',
    'Version',
    'Date',
    'Curator',
  ];
  const heads = columns.map((column) => `<th scope="col">${column}</th>`).join('');
  const lines = rows.map(({ entity, panel, steps, version, day, actor }) => {
    const cells = [
      ...(panel === undefined
        ? []
        : [['Panel', `<a href="#${anchors.get(panel.heading)}">${pageText(panel.name)}</a>`]]),
      ['Rating', steps.map(pill).join('<span class="to"> → </span>')],
      ['Version', pageText(version)],
      ['Date', pageText(day)],
      ['Curator', pageText(actor)],
    ];
    const tds = cells.map(([label, content]) => `<td data-label="${label}">${content}</td>`).join('');
    return `<tr><th scope="row">${pageText(entity)}</th>${tds}</tr>`;
  });
  const kind = withPanel ? 'with-panel' : 'of-panel';
  return `<table class="${kind}"><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

const pill = ({ state, text }: ChangeRow['steps'][number]): string =>
  `<span class="pill ${state}">${pageText(text)}</span>`;

const list = (items: readonly string[], name = ''): string =>
  items.length === 0
    ? ''
    : `<ul${name && ` class="${name}"`}>${items.map((item) => `<li>${pageText(item)}</li>`).join('')}</ul>`;

import { printable } from '../terminal-text.ts';
import type { Report } from './report.ts';
import { panelSection, summaryLines } from './report-lines.ts';

/** A report as Markdown; what people typed into the catalogue is shown, never obeyed. */
export function markdownOf(report: Report): string {
  const { panels } = report.changes;
  const severalCatalogues = new Set(panels.map(({ catalogue }) => catalogue)).size > 1;
  const lines = [`# Changes of gene panels: ${escaped(report.title)}`, ''];
  for (const line of summaryLines(report)) lines.push(escaped(line), '');
  for (const panel of panels) {
    const { heading, facts, sections } = panelSection(panel, severalCatalogues);
    lines.push(`## ${escaped(heading)}`, '');
    for (const fact of facts) lines.push(`- ${escaped(fact)}`);
    if (facts.length > 0) lines.push('');
    for (const { heading: title, lines: items } of sections) {
      lines.push(`### ${title}`, '', ...items.map((item) => `- ${escaped(item)}`), '');
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const escaped = (text: string): string => printable(text).replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&');

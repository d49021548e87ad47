import { printable } from '../../lambdas/run/printable.ts';
import type { ReportDocument } from './document.ts';

/** A report as Markdown. Text of the catalogue is escaped, so that none of it becomes markup. */
export function markdownOf({ title, summary, warnings = [], sections: parts }: ReportDocument): string {
  const lines = [`# ${escaped(title)}`, ''];
  for (const line of summary) lines.push(escaped(line), '');
  for (const line of warnings) lines.push(`> ${escaped(line)}`, '');
  for (const { heading, facts, sections } of parts) {
    lines.push(`## ${escaped(heading)}`, '');
    for (const fact of facts) lines.push(`- ${escaped(fact)}`);
    if (facts.length > 0) lines.push('');
    for (const { heading: name, lines: items } of sections) {
      lines.push(`### ${name}`, '', ...items.map((item) => `- ${escaped(item)}`), '');
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

const escaped = (text: string): string => printable(text).replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&');

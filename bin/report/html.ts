import { htmlText } from '../../lambdas/messages/html-text.ts';
import { printable } from '../terminal-text.ts';
import type { ReportDocument } from './document.ts';

/** A report as one HTML page that needs no other file and no network. */
export function htmlOf(document: ReportDocument): string {
  const title = escaped(document.title);
  const body = document.sections.map(({ heading, facts, sections }) => {
    const parts = sections.map(
      ({ heading: name, lines }) =>
        `<h3 class="${name.toLowerCase().replaceAll(' ', '-')}">${escaped(name)}</h3>${list(lines)}`,
    );
    return `<section><h2>${escaped(heading)}</h2>${list(facts)}${parts.join('')}</section>`;
  });
  const summary = document.summary.map((line) => `<p>${escaped(line)}</p>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
<main>
<h1>${title}</h1>
${[...summary, ...body].join('\n')}
</main>
</html>
`;
}

const list = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;

const escaped = (text: string): string => htmlText(printable(text));

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}
main{max-width:60rem;margin:0 auto;padding:1rem}h1{font-size:1.5rem}h2{font-size:1.2rem;margin:2rem 0 .5rem;border-top:1px solid #8886;padding-top:1rem}
h3{font-size:1rem;margin:.75rem 0 .25rem}h3.now-green::before{content:"● ";color:#1a7f37}h3.no-longer-green::before{content:"● ";color:#b35900}
ul{margin:.25rem 0;padding-left:1.25rem}li{overflow-wrap:anywhere}@media print{section{break-inside:avoid}}`;

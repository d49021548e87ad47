import type { Rating } from '../events/changes.ts';
import { printable } from '../run/text.ts';

interface RatingColours {
  readonly text: string;
  /** Behind the text: with it, a contrast of 7.5 or more. */
  readonly ground: string;
  /** Borders, bars and dots. */
  readonly accent: string;
}

/** The colours of ratings in mails, reports and on the page, by the colour scheme of the reader. */
export const ratingColours: Readonly<Record<'light' | 'dark', Readonly<Record<Rating, RatingColours>>>> = {
  light: {
    green: { text: '#14532d', ground: '#d9f0df', accent: '#23803f' },
    amber: { text: '#5c3a00', ground: '#fde8c0', accent: '#c77d0a' },
    red: { text: '#7a1420', ground: '#fbdcdc', accent: '#c22f3d' },
    none: { text: '#3b434c', ground: '#e8eaed', accent: '#7b848e' },
  },
  dark: {
    green: { text: '#b4e8c2', ground: '#163a23', accent: '#4fb56d' },
    amber: { text: '#ffd797', ground: '#402b08', accent: '#dd9a2e' },
    red: { text: '#ffc0c3', ground: '#45171c', accent: '#e06a74' },
    none: { text: '#d4d8dd', ground: '#31373e', accent: '#8c959f' },
  },
};

/** The style rules that give a rating its colours, such as `.green{color:#14532d;…}`. */
export const pillStyles = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .map(
      ([rating, { text, ground, accent }]) =>
        `.${rating}{color:${text};background:${ground};border-color:${accent}}`,
    )
    .join('');

/** Text for HTML and XML, in content and in quoted attributes: all five characters that markup is made of. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of a page, without characters that cannot be seen. */
export const pageText = (text: string): string => htmlText(printable(text));

interface PrintedPage {
  /** As text; it is the first heading too. */
  readonly title: string;
  /** What follows the heading, as HTML. */
  readonly body: readonly string[];
}

/** One HTML page to print, to send or to keep: it needs no other file and no network, and runs no script. */
export function printedPage({ title, body }: PrintedPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${pageText(title)}</title>
<style>${reportStyle}</style>
<main>
<h1>${pageText(title)}</h1>
${body.join('\n')}
</main>
</html>
`;
}

const { green, amber } = ratingColours.light;

/** The style of a report: every pair of text and ground has a contrast of 4.5 or more; ratings keep their colour in print. */
const reportStyle = [
  ':root{color-scheme:light dark;--line:#dcdfe3;--soft:#565f69;--link:#0b57a4;--warn:#fff4dc}',
  'body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0;color:#1b1f24;background:#fff}',
  'main{max-width:64rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}',
  'h1{font-size:1.6rem;line-height:1.25;margin:0 0 .75rem}h2{font-size:1.2rem;line-height:1.3;margin:0 0 .5rem}',
  'h3{font-size:1rem;margin:1rem 0 .25rem}small{font-weight:400;color:var(--soft)}p{margin:0 0 .6rem;max-width:48rem}',
  'section{border-top:1px solid var(--line);margin-top:1.75rem;padding-top:1.25rem}',
  '.warning{background:var(--warn);border-left:4px solid #d9a441;padding:.5rem .75rem}',
  `.now-green::before,.no-longer-green::before{content:"● "}.now-green::before{color:${green.accent}}.no-longer-green::before{color:${amber.accent}}`,
  'ul{margin:.25rem 0;padding-left:1.25rem}.facts{list-style:none;padding:0;color:var(--soft)}li{overflow-wrap:anywhere}a{color:var(--link)}',
  'table{border-collapse:collapse;width:100%;table-layout:fixed}th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}',
  // A heading that cannot break keeps its column as wide as itself, also where the widths follow the content.
  'thead th{font-size:.85rem;font-weight:600;color:var(--soft);overflow-wrap:normal}tbody th{font-weight:600}',
  // Parts of the width, and no lengths: on paper, lengths would leave one letter for the panel.
  'thead th:nth-last-child(3){width:8%}thead th:nth-last-child(2){width:11%}thead th:nth-last-child(1){width:16%}',
  '.of-panel thead th:first-child{width:25%}.with-panel thead th:first-child{width:18%}.with-panel thead th:nth-child(3){width:23%}',
  '.pill{display:inline-block;padding:0 .55em;border:1px solid;border-radius:1em;font-size:.9rem;white-space:nowrap;print-color-adjust:exact;-webkit-print-color-adjust:exact}',
  pillStyles('light'),
  '.pill.unknown,.pill.absent{color:var(--soft);border-style:dashed}.to{color:var(--soft)}',
  '@media screen and (max-width:900px),(max-width:560px){main{padding:1rem}thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}table,tbody,tr,tbody th,td{display:block}',
  'tr{border-bottom:1px solid var(--line);padding:.5rem 0}tbody th,td{border:0;padding:.1rem 0}td:empty{display:none}',
  'td[data-label=Version],td[data-label=Date],td[data-label=Curator]{display:inline;color:var(--soft);font-size:.9rem}td[data-label=Version]:not(:empty)::before{content:"version "}td[data-label=Date]::before,td[data-label=Curator]:not(:empty)::before{content:" · "}}',
  '@page{margin:12mm}@media print{body{font-size:12px}:root{font-size:13px}main{max-width:none;padding:0}p{max-width:none}tr,h2,h3{break-inside:avoid;break-after:avoid-page}tr{break-after:auto}a{color:inherit;text-decoration:none}}',
  '@media(prefers-color-scheme:dark){:root{--line:#333942;--soft:#a5adb8;--link:#7fb8f2;--warn:#33290f}body{background:#14171a;color:#e8e9ea}',
  `${pillStyles('dark')}}`,
].join('');

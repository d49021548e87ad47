import type { Tone } from './notice.ts';
import { pillStyles } from './pill-styles.ts';
import { ratingColours } from './rating-colours.ts';

/** The class that gives a heading or card its colour. */
export const toneClass = (tone: Tone): string => `tone-${tone}`;

const { green, amber, red } = ratingColours.light;
const tone = (name: string, colour: string): string =>
  `.card.tone-${name}{border-top-color:${colour}}h2.tone-${name}{border-left-color:${colour}}`;

/** The style sheet of a mail. Every pair of text and ground has a contrast of 4.5 or more, in light and dark. */
export const mailStyle = [
  'body{margin:0;padding:16px;background:#f3f4f6;color:#1b1f24;font:16px/1.5 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}',
  '.card{max-width:600px;margin:0 auto;padding:20px 24px 24px;background:#fff;border-top:6px solid #6b7280;border-radius:6px;overflow-wrap:anywhere}',
  'h1{margin:0 0 14px;font-size:21px;line-height:1.3}',
  'h2{margin:26px 0 6px;padding-left:10px;border-left:5px solid #6b7280;font-size:17px;line-height:1.3}',
  'h3{margin:14px 0 2px;font-size:15px;font-weight:600}',
  'p{margin:0 0 10px}',
  '.change{font-size:20px;margin-bottom:6px}.change b{margin-right:6px}',
  '.pill{display:inline-block;padding:0 9px;border:1px solid;border-radius:11px;font-size:.92em;line-height:1.45;font-weight:600}',
  pillStyles('light'),
  tone('green', green.accent),
  tone('amber', amber.accent),
  tone('red', red.accent),
  tone('problem', red.accent),
  tone('recovery', green.accent),
  'blockquote{margin:14px 0;padding:8px 14px;border-left:4px solid #c3c8cf;background:#f6f7f9;white-space:normal}',
  'table+p{margin-top:18px}',
  'table{border-collapse:collapse;width:100%}',
  'th{text-align:left;vertical-align:top;padding:5px 14px 5px 0;font-weight:600}',
  'td{vertical-align:top;padding:5px 0}',
  '.facts{margin:12px 0;font-size:15px}.facts th{width:1%;white-space:nowrap;font-weight:400;color:#5a626d}',
  '.rows tr{border-bottom:1px solid #e6e8eb}.rows th{width:1%;min-width:84px;white-space:nowrap}',
  '.byline,.note,.count{color:#5a626d;font-weight:400}.note,.byline{font-size:15px}.count{font-size:15px}',
  'a{color:#0a5cad}',
  '.button{display:inline-block;margin-top:10px;padding:9px 18px;border-radius:6px;background:#0a5cad;color:#fff;text-decoration:none;font-weight:600}',
  '.foot{max-width:600px;margin:12px auto 0;padding:0 24px;color:#5a626d;font-size:13px}.foot p{margin:0 0 4px}',
  '@media (max-width:480px){body{padding:0}.card{padding:16px;border-radius:0}.foot{padding:0 16px 16px}}',
  '@media (prefers-color-scheme:dark){body{background:#14171b;color:#e7e9ec}.card{background:#1e2228}blockquote{background:#262b32;border-color:#4a515b}',
  '.byline,.note,.count,.foot,.facts th{color:#a5adb8}.rows tr{border-color:#333942}a{color:#7db8f5}.button{background:#7db8f5;color:#0d1b2a}',
  `${pillStyles('dark')}}`,
].join('');

import { readFileSync } from 'node:fs';
import { howMuchWasRead, type ReadPart, unreadSentences } from '../lambdas/store/history/read-part.ts';
import { durationWords, type Html, headOf, html, type LocalTimes, type Moment } from './html.ts';
import type { CopyState, PageContent, StatusWords, WatchRecord } from './route-context.ts';
import type { Visitor } from './sign-in/access.ts';

/** The style sheets, in their order: a later one may change what an earlier one says. */
const styles = [
  'base',
  'header',
  'stream',
  'highlights',
  'event',
  'document',
  'worklist',
  'screen',
  'print',
] as const;

/**
 * The folder of what browsers load. The address holds in the checkout, where this module lies in `page/`, and in
 * the built command line, whose modules lie in `dist/bin/`: both are one folder below the one that holds `page/`.
 */
const ownFolder = (): URL => new URL('../page/browser/', import.meta.url);

/**
 * The style sheet of all views, without the variables that hold the colours of ratings.
 * @param folder where its files are; those beside this module where absent
 */
export const readStyle = (folder = ownFolder()): string =>
  styles.map((name) => readFileSync(new URL(`${name}.css`, folder), 'utf8')).join('\n');

/** The modules of the script: the first loads the others. */
const modules = ['page', 'choose-names'] as const;

/** The modules of the script by their names: `page.js`. */
export const readScripts = (folder = ownFolder()): ReadonlyMap<string, string> =>
  new Map(modules.map((name) => [`${name}.js`, readFileSync(new URL(`${name}.js`, folder), 'utf8')]));

const MOST_SENTENCES = 5;

/** What of the period was not read; nothing where all of it was. It stands above what was found. */
export function unreadView(parts: readonly ReadPart[], times: LocalTimes): Html {
  if (parts.length === 0 || howMuchWasRead(parts) === 'all') return html``;
  const sentences = unreadSentences(parts, times.moment);
  if (sentences.length === 0) return html``;
  const more = sentences.length - MOST_SENTENCES;
  return html`<div class="warning unread">${sentences.slice(0, MOST_SENTENCES).map((text) => html`<p>${text}</p>`)}${
    more > 0 ? html`<p>And ${more} more such times: <a href="/watcher">what was read</a>.</p>` : ''
  }</div>`;
}

interface Frame {
  readonly catalogues: readonly string[];
  /** In the header: whether and when the log was read. */
  readonly status: Html;
  readonly visitor: Visitor;
  /** Whether panels are kept for each person. */
  readonly keepsPanels: boolean;
  /** Whether people make tokens for programs. */
  readonly hasTokens: boolean;
  readonly questions: readonly MenuEntry[];
}

type MenuEntry = readonly [name: string, address: string, words: string];

/** Who signs in has panels of their own. */
const menuOf = ({ questions, keepsPanels }: Frame): readonly MenuEntry[] => [
  ['changes', '/', 'Changes'],
  ...questions,
  ['worklist', '/worklist', 'Worklist'],
  ['impact', '/impact', 'Cases'],
  ['watcher', '/watcher', 'Watcher'],
  ...(keepsPanels ? ([['my-panels', '/my-panels', 'My panels']] as const) : []),
];

/** A whole page. */
export function layout(frame: Frame, content: PageContent): Html {
  const { catalogues, status } = frame;
  const { title, current, main, words = '', hidden = [], live, bodyClass = '' } = content;
  const { skips = [['#main', 'Skip to the content']] } = content;
  return html`${headOf(title)}<script type="module" src="/browser/page.js"></script>
</head>
<body class="${bodyClass}">
${skips.map(
  ([address, label]) => html`<a class="skip" href="${address}">${label}</a>
`,
)}<header class="top">
<p class="brand"><a href="/">Gene panel changes</a> <span class="catalogues">${catalogues.join(', ')}</span></p>
<nav aria-label="Pages"><ul>${menuOf(frame).map(
    ([name, address, label]) =>
      html`<li><a href="${address}"${name === current ? html` aria-current="page"` : ''}>${label}</a></li>`,
  )}</ul></nav>
<p class="status" id="status">${status}</p>
<form class="search" role="search" action="/" method="get">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<label for="q" class="unseen">Search summaries, names, curators and rows of the log</label>
<input id="q" name="q" type="search" value="${words}" placeholder="Search" autocomplete="off" spellcheck="false">
<button>Search</button>
</form>
${visitorView(frame, current)}</header>
<main id="main" tabindex="-1"${live === undefined ? '' : html` data-live="${live}"`}>
${main}
</main>
</body>
</html>
`;
}

function visitorView(
  { visitor: { person, formToken, canSignOut }, hasTokens }: Frame,
  current: string,
): Html {
  if (person === null) return html``;
  const programs = html` <a href="/programs"${current === 'programs' ? html` aria-current="page"` : ''}>Programs</a>`;
  const name = html`<span class="person">${person.name}${person.role === 'decider' ? ', decider' : ''}</span>${hasTokens ? programs : ''}`;
  if (!canSignOut) return html`<p class="visitor">${name}</p>\n`;
  return html`<form class="visitor" method="post" action="/sign-out">${name} <input type="hidden" name="token" value="${formToken}"><button>Sign out</button></form>\n`;
}

/** How the watcher of one catalogue is, in one line. */
export function statusWords(
  record: WatchRecord | undefined,
  newest: string | null,
  { times }: Moment,
): StatusWords {
  if (!record) {
    return {
      state: 'still',
      text: newest === null ? 'no change is kept yet' : `newest change ${times.moment(newest)}`,
      readAt: null,
    };
  }
  const runs = record.runs();
  const [last] = runs.filter(({ kind }) => kind === 'poll' || kind === 'failed poll');
  const good = runs.find(({ kind }) => kind === 'poll');
  const readAt = good?.at ?? null;
  if (!last) return { state: 'waiting', text: 'the first poll is under way', readAt };
  if (last.kind === 'failed poll') return { state: 'failing', text: 'the last poll failed', readAt };
  if (last.kind === 'poll' && last.report.outcome === 'postponed') {
    return { state: 'waiting', text: 'the catalogue asked to wait', readAt };
  }
  return { state: 'live', text: 'live', readAt };
}

/** Of the copy of a deployed stage: when it was read, and whether that goes on. */
export const copyWords = ({ at, problem }: CopyState, stage: string, { times }: Moment): StatusWords =>
  problem === null
    ? { state: 'still', text: `stage ${stage}, read ${times.moment(at)}`, readAt: null }
    : { state: 'failing', text: `stage ${stage} unreadable since ${times.moment(at)}`, readAt: null };

/** The line in the head of each page, with the time since the log was read. */
export function statusView({ state, text, readAt }: StatusWords, now: number): Html {
  const ago =
    readAt === null
      ? ''
      : html`, read <span data-since="${readAt}">${durationWords(now - readAt)}</span> ago`;
  return html`<a href="/watcher" class="${state}">${text}${ago}</a>`;
}

/** A short notice in place of content: what is missing, and what to do. */
export function plainNotice(heading: string, ...paragraphs: readonly (string | Html)[]): Html {
  return html`<div class="notice"><h1>${heading}</h1>${paragraphs.map((text) => html`<p>${text}</p>`)}</div>`;
}

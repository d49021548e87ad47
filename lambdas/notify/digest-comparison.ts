import type { EventPanel } from '../events/schemas.ts';
import { eventAbout } from '../filters/event-facts.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import type { Names } from '../filters/names.ts';
import { type DisagreementRecord, loadDisagreements } from '../panels/disagreement-record.ts';
import type { Documents } from '../store/documents.ts';
import { cleanLine } from '../words/clean-text.ts';
import { counted } from '../words/counted.ts';
import type { TimeWords } from '../words/time-words.ts';
import type { StatesOf } from './background.ts';
import type { NotifyPlan } from './subscription.ts';
import { asksForDisagreements } from './wanted-events.ts';

/** The documents of a catalogue, in which its comparisons with others are kept. */
export type DocumentsOf = (catalogue: string) => Pick<Documents, 'load'>;

interface UncomparedOptions {
  readonly filter: Filter;
  readonly plan: Pick<NotifyPlan, 'catalogues' | 'comparedWith'>;
  readonly documentsOf: DocumentsOf;
  readonly statesOf: StatesOf;
  readonly names: Names | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly times: TimeWords;
}

/** Every pair is compared again each day: what is older was not, for whatever reason. */
const OLD_MS = 48 * 60 * 60 * 1000;
/** More panels are counted. */
const MOST_NAMED = 5;

/**
 * What of the panels that a subscription asks for is not compared with another catalogue, in sentences; empty where it does not ask for
 * disagreements.
 * @throws {StateError} when what is kept cannot be read
 */
export async function uncomparedSentences(options: UncomparedOptions): Promise<readonly string[]> {
  const { filter, plan, documentsOf } = options;
  if (!asksForDisagreements(filter)) return [];
  const found: string[] = [];
  for (const catalogue of filter.catalogues ?? plan.catalogues)
    for (const other of plan.comparedWith?.[catalogue] ?? []) {
      const record = await loadDisagreements(documentsOf(catalogue), other);
      found.push(...(await sentencesOf(record, { catalogue, other }, options)));
    }
  return found;
}

async function sentencesOf(
  { wholeAt, pairs, unread, notRead }: DisagreementRecord,
  { catalogue, other }: { readonly catalogue: string; readonly other: string },
  { filter, statesOf, names, now, times }: UncomparedOptions,
): Promise<readonly string[]> {
  const both = `${catalogue} and ${other}`;
  if (wholeAt === 0) return [`${both} have not been compared yet: what they disagree about is unknown.`];
  const { panels, panelTypes, rCodes } = filter;
  const about = { ...(panels && { panels }), ...(panelTypes && { panelTypes }), ...(rCodes && { rCodes }) };
  const matches = compileFilter(about, names);
  const isAsked = (panel: EventPanel): boolean => matches(eventAbout(panel, null, catalogue));
  const read = new Map((await statesOf(catalogue)?.panels())?.map((panel) => [panel.panelId, panel]));
  const uncompared = pairs.flatMap(({ panels: [{ id, name }], why }) => {
    const { types = [], relevantDisorders = [] } = read.get(id) ?? {};
    return why !== null && isAsked({ id, name, version: null, types, relevantDisorders }) ? [why] : [];
  });
  // Which panel one of the other catalogue belongs to is unknown before it is read.
  const unnamed = unread
    .filter((panel) => panel.catalogue !== catalogue || isAsked({ ...panel, version: null }))
    .map((panel) => `${panel.name} of ${panel.catalogue}`);
  return [
    ...(now - wholeAt >= OLD_MS
      ? [`Not every panel of ${both} was compared since ${times.moment(new Date(wholeAt).toISOString())}.`]
      : []),
    ...notRead.map((sentence) => `Not compared: ${sentence}`),
    ...(unnamed.length === 0
      ? []
      : [
          `Not compared, because what ${unnamed.length === 1 ? 'it holds' : 'they hold'} has not been read yet: ${cleanLine(firstOf(unnamed).join(', '))}${moreThan(unnamed)}.`,
        ]),
    ...firstOf(uncompared).map((why) => `Not compared: ${cleanLine(why)}`),
    ...(uncompared.length > MOST_NAMED
      ? [
          `${counted(uncompared.length - MOST_NAMED, 'more pair')} of panels of ${both} ${uncompared.length - MOST_NAMED === 1 ? 'was' : 'were'} not compared.`,
        ]
      : []),
  ];
}

const firstOf = (all: readonly string[]): readonly string[] => all.slice(0, MOST_NAMED);
const moreThan = ({ length }: readonly string[]): string =>
  length > MOST_NAMED ? ` and ${length - MOST_NAMED} more` : '';

import type { LeftOut } from '../panels/sqlite-as-of.ts';
import type { Instant } from '../run/instant.ts';
import { counted } from '../run/text.ts';
import { flag, isDay, OptionError, readAsked, readMoment, valuesOf } from './options.ts';
import {
  type Answer,
  type AsOf,
  type Limit,
  type Option,
  type Options,
  type Place,
  type Question,
  type Texts,
  type Times,
  unknownNameLimit,
} from './question.ts';

interface Asking {
  readonly texts: Texts;
  /** The catalogue that is asked about; all where absent. */
  readonly catalogue?: string | undefined;
  readonly place: Place;
}

/** An answer; it is withheld where everything that one option names is unknown: what else is found says nothing of it. */
interface Asked {
  readonly asked: Readonly<Record<string, unknown>>;
  readonly answer: Answer<unknown>;
  readonly isWithheld: boolean;
}

/**
 * Asks a question, the same for a command, a view and a file.
 * @throws {OptionError} when an option is unknown, or has a value that it does not take
 * @throws {HistoryError | StateError} when what is kept cannot be read
 */
export async function ask(question: Question, { texts, catalogue, place }: Asking): Promise<Asked> {
  const names = Object.keys(question.options);
  const other = Object.keys(texts).find((name) => !names.includes(name));
  if (other !== undefined)
    throw new OptionError(other.slice(0, 80), [...names, ...Object.keys(asOfOptions)].join(', '));
  const asked = readAsked(question.options, texts, place);
  const ofTime = place.asOf ? [asOfLimit(place.asOf, place.times)] : [];
  if (catalogue !== undefined && !place.catalogues.includes(catalogue)) {
    const statement = `No catalogue called “${catalogue}” has been read.`;
    const known = place.catalogues.length > 0 ? ` It was ${place.catalogues.join(', ')}.` : '';
    const sentence = `${statement}${known}`;
    const limit = unknownNameLimit({ option: 'catalogue', value: catalogue, statement, sentence });
    return { asked, answer: { lead: [], lists: [], limits: [...ofTime, limit] }, isWithheld: true };
  }
  const where = catalogue === undefined ? place : { ...place, catalogue, catalogues: [catalogue] };
  const found = await question.answer(asked, where);
  const answer = { ...found, limits: [...ofTime, ...found.limits] };
  if (!isAllUnknown(question, texts, answer.limits)) return { asked, answer, isWithheld: false };
  return { asked, answer: { ...answer, lead: [], lists: [] }, isWithheld: true };
}

function isAllUnknown({ options }: Question, texts: Texts, limits: readonly Limit[]): boolean {
  const unknown = limits.flatMap((limit) => limit.unknown ?? []);
  return Object.entries(texts).some(([name, given]) => {
    const option = options[name];
    const values = option ? valuesOf(option, given) : [];
    return (
      values.length > 0 &&
      values.every((value) => unknown.some((one) => one.option === name && one.value === value))
    );
  });
}

/** The options of every question beside its own: they say of which time its place is. */
export const asOfOptions = {
  'as-of': {
    help: 'answer as at the end of this day, or at this time: what came to light later is left out',
    takes: 'DAY',
    field: { kind: 'day', label: 'As known at the end of' },
    read([text], moment) {
      if (text === undefined) return undefined;
      const at = isDay(text) ? moment.times.startOf(text, 1) - 1n : readMoment(text, moment);
      if (at <= moment.now) return at;
      throw new OptionError(text, 'a day that is over, or a time that is not in the future');
    },
  } satisfies Option<Instant | undefined>,
  'left-out': flag('with as-of: also say how much came to light later and is left out'),
} as const satisfies Options;

/** Says that an answer is as of an earlier time. */
export const asOfLimit = ({ at, leftOut }: AsOf, times: Times): Limit => ({
  kind: 'as-of',
  sentence: `As of ${momentWords(at, times)}: what came to light later is left out.${leftOut ? ` That is ${leftOutWords(leftOut)}.` : ''}`,
});

function momentWords(at: Instant, times: Times): string {
  const isEndOfDay = at + 1n === times.startOf(times.iso(at), 1);
  return isEndOfDay ? `the end of ${times.day(at)}` : times.moment(at);
}

/** What an answer as of an earlier time leaves out, as the end of a sentence. */
export const leftOutWords = ({ events, late, versions, signOffs }: LeftOut): string =>
  `${counted(events, 'event')}, ${late} of them about the time before; readings of ${counted(versions, 'panel version')}; ${counted(signOffs, 'sign-off')} listed or withdrawn`;

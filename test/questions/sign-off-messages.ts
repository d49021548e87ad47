import type { createCatalogue } from '../../lambdas/catalogue/client.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { entityFactsOf } from '../../lambdas/notify/background.ts';
import { compareSignOff } from '../../lambdas/notify/compare-sign-off.ts';
import type { PanelStateStore } from '../../lambdas/panels/panel-state-store.ts';
import { mailText } from '../../lambdas/words/mail.ts';
import { noticeOfEvent } from '../../lambdas/words/notice-of-changes.ts';
import { phraseText } from '../../lambdas/words/phrase.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';
import { countingNow, type ListedSignOff, wrongCounting } from './sign-offs-that-count.ts';

type Catalogue = ReturnType<typeof createCatalogue>;
type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** What the messages of a year say wrongly. */
export interface WrongMessages {
  /** Net changes of sign-offs that are not those of the catalogue's own versions. */
  readonly netChanges: readonly string[];
  /** Sentences that name another version or day, or another rating in it. */
  readonly messages: readonly string[];
  /** Sign-offs whose net change was compared. */
  readonly compared: number;
  /** Messages about entities of panels with a signed-off version. */
  readonly read: number;
}

interface Year {
  readonly events: readonly PanelEvent[];
  /** What the catalogue lists now. */
  readonly listed: readonly ListedSignOff[];
  /** Each sign-off that it ever listed, as `126 4.20 2026-05-06`. */
  readonly ever: ReadonlySet<string>;
  readonly states: PanelStateStore;
  readonly client: Catalogue;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Renders the messages of a year and holds them against what the catalogue serves. */
export async function wrongMessages(year: Year): Promise<WrongMessages> {
  const served = servedRatings(year.client);
  const signOffs = await messagesOfSignOffs(year, served);
  const entities = await messagesOfEntities(year, served);
  return {
    netChanges: signOffs.netChanges,
    messages: [...signOffs.messages, ...entities.messages],
    compared: signOffs.compared,
    read: entities.read,
  };
}

type Served = (id: number, version: string) => Promise<ReadonlyMap<string, string> | null>;

/** Whether each entity of a version is green, as the catalogue serves it. */
function servedRatings(client: Catalogue): Served {
  const known = new Map<string, ReadonlyMap<string, string> | null>();
  return async (id, version) => {
    const key = `${id} ${version}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const detail = await client.panelDetail(id, version).catch(() => null);
    const ratings =
      detail &&
      new Map<string, string>(
        [...detail.genes, ...(detail.strs ?? []), ...(detail.regions ?? [])]
          .toSorted((one, other) => Number(one.confidence_level) - Number(other.confidence_level))
          .map((each) => [
            `${each.entity_type} ${each.entity_name}`,
            words[Math.min(3, Number(each.confidence_level))] as string,
          ]),
      );
    known.set(key, ratings);
    return ratings;
  };
}

const words = ['unrated', 'red', 'amber', 'green'];

async function messagesOfSignOffs(year: Year, served: Served) {
  const { events, states, now } = year;
  const netChanges: string[] = [];
  const messages: string[] = [];
  let compared = 0;
  for (const event of events) {
    if (event.type !== 'gene-panel.panel.signed-off.v1') continue;
    const { change, panel } = event.data;
    const comparison = await compareSignOff(event, { statesOf: () => states, history: null, now });
    const text = textOf(event, now, { signOff: () => comparison });
    const wrong = [wrongVersions(event, text, comparison.newest), wrongCounting(event, text, year)];
    messages.push(...wrong.filter((one) => one !== null));
    netChanges.push(...(await wrongGreens(event, comparison, served)));
    const { signedOffVersion: version, previousSignedOffVersion: before } = change;
    if (!change.signedOff || version === undefined || before === undefined || panel.id === null) continue;
    const [later, earlier] = [await served(panel.id, version), await served(panel.id, before)];
    if (!later || !earlier) continue;
    if (!comparison.entered || !comparison.left) {
      if (comparison.unknown.length === 0)
        netChanges.push(`${panel.id} ${version}: silent about what is unknown`);
      continue;
    }
    compared += 1;
    const greens = (ratings: ReadonlyMap<string, string>) =>
      [...ratings].flatMap(([name, rating]) => (rating === 'green' ? [name] : []));
    const truth = {
      entered: greens(later)
        .filter((name) => earlier.get(name) !== 'green')
        .sort(),
      left: greens(earlier)
        .filter((name) => later.get(name) !== 'green')
        .sort(),
    };
    const names = (list: typeof comparison.entered) =>
      (list ?? []).map(({ entity }) => `${entity.type} ${entity.name}`).sort();
    const said = { entered: names(comparison.entered), left: names(comparison.left) };
    if (JSON.stringify(said) !== JSON.stringify(truth))
      netChanges.push(`${panel.id} ${before} to ${version}: ${JSON.stringify({ said, truth })}`);
    const subject = `${truth.entered.length} `;
    const isSaid =
      version === before
        ? text.includes(`${version} is signed off`) && text.split('\n')[0]?.endsWith(' again')
        : truth.entered.length + truth.left.length === 0
          ? text.includes(`: the same green genes as in ${before}`)
          : text.includes(`: ${subject}`) && text.includes(`${truth.left.length} fewer than in ${before}`);
    if (!isSaid) messages.push(`${panel.id} ${version}: ${text.split('\n')[0]}`);
  }
  return { netChanges, messages, compared };
}

/** A message that names a version beside the ones of its sign-off, or not as what it is. */
function wrongVersions({ data }: SignOffEvent, text: string, newest: string | null): string | null {
  const { signedOff, signedOffVersion: now, previousSignedOffVersion: before } = data.change;
  const patterns: readonly (readonly [RegExp, string | null | undefined])[] = [
    [/ (\d+\.\d+) is signed off/, now],
    [/fewer than in (\d+\.\d+)/, before],
    [/the same green genes as in (\d+\.\d+)/, before],
    [/^Signed off: version (\d+\.\d+)/m, now],
    [/\(before: (\d+\.\d+)/, before],
    [/^Withdrawn: the signed-off version (\d+\.\d+)/m, before],
    [/green in (\d+\.\d+), the newest version/, newest],
    [/newly green in (\d+\.\d+)/, now],
    [/Everything that is green in (\d+\.\d+) is green in \d+\.\d+\./, before],
    [/Everything that is green in \d+\.\d+ is green in (\d+\.\d+)\./, now],
    [/Everything that is green in (\d+\.\d+) is green in \d+\.\d+,/, now],
    [/GREEN IN VERSION (\d+\.\d+)/, now],
    [/The contents of version (\d+\.\d+) were not read/, now],
    [/The contents of the version signed off before, (\d+\.\d+)/, before],
  ];
  const wrong = patterns.find(([pattern, right]) => {
    const [, found] = pattern.exec(text) ?? [];
    return found !== undefined && found !== right;
  });
  if (wrong) return `${String(wrong[0])} is not ${wrong[1]}: ${text}`;
  if (signedOff && now !== undefined && !text.includes(`Signed off: version ${now}`)) return text;
  return null;
}

/** Lists of all that is green, and of what waits for a sign-off, that are not those of the catalogue's own versions. */
async function wrongGreens(
  { data: { panel, change } }: SignOffEvent,
  { green, awaiting, downgraded, newest }: Awaited<ReturnType<typeof compareSignOff>>,
  served: Served,
): Promise<readonly string[]> {
  const version = change.signedOffVersion;
  if (version === undefined || panel.id === null) return [];
  const [signed, later] = [await served(panel.id, version), newest && (await served(panel.id, newest))];
  const names = (list: typeof green) => list?.map(({ entity }) => `${entity.type} ${entity.name}`).sort();
  const greenNow = (ratings: ReadonlyMap<string, string>, others?: ReadonlyMap<string, string>) =>
    [...ratings]
      .flatMap(([name, rating]) => (rating === 'green' && others?.get(name) !== 'green' ? [name] : []))
      .sort();
  const checks = [
    ['green', names(green), signed && greenNow(signed)],
    ['awaiting', names(awaiting), signed && later && greenNow(later, signed)],
    ['downgraded', names(downgraded), signed && later && greenNow(signed, later)],
  ] as const;
  return checks.flatMap(([list, said, truth]) =>
    said && truth && JSON.stringify(said) !== JSON.stringify(truth)
      ? [`${panel.id} ${version} ${list}: ${JSON.stringify({ said, truth, newest })}`]
      : [],
  );
}

async function messagesOfEntities({ events, listed, ever, states, now }: Year, served: Served) {
  const messages: string[] = [];
  let read = 0;
  const today = new Date(now).toISOString().slice(0, 10);
  const rated = events.filter(
    ({ type, data }) =>
      (type === 'gene-panel.entity.classified.v1' || type === 'gene-panel.entity.removed.v1') &&
      data.panel?.id,
  );
  const facts = await entityFactsOf(rated, { statesOf: () => states, history: null, now });
  for (const event of rated) {
    const { panel, entity } = event.data;
    if (!panel?.id || !entity) continue;
    const { all: own, counting } = countingNow(listed, panel.id, now);
    const text = textOf(event, now, { background: (id) => facts.get(id) });
    const [, stated] = /signed-off version(?: too| is)?:? (\d+\.\d+)/.exec(text) ?? [];
    const [, coming] = /version (\d+\.\d+), which is signed off from/.exec(text) ?? [];
    // Of two on one day, the list does not say which replaced the other: the message names one of them.
    const current = counting.find(({ version }) => version === stated) ?? counting[0];
    read += current ? 1 : 0;
    const isGreenIn = async (version: string): Promise<boolean | null> => {
      const ratings = await served(panel.id as number, version);
      return ratings && ratings.get(`${entity.type} ${entity.name}`) === 'green';
    };
    const saysGreen = /(?:Green|Still green) in (?:the signed-off version|version)/.test(text);
    if (coming !== undefined) {
      const isListed = own.some(({ version, signed_off: day }) => version === coming && day > today);
      if (!isListed) messages.push(`${panel.id} ${coming} is not coming: ${text}`);
      if (saysGreen && (await isGreenIn(coming)) === false) messages.push(`not green in ${coming}: ${text}`);
      continue;
    }
    // Without a sign-off that counts now, a message has the one that counted when the change was read.
    const then =
      panel.signedOffVersion === stated && ever.has(`${panel.id} ${stated} ${panel.signedOffDate}`);
    // A list of last sign-offs that shows one of a later day does not show the one that counts until then.
    const until = own.length > 0 && [...ever].some((one) => one.startsWith(`${panel.id} ${stated} `));
    if (!current && stated !== undefined && (then || until)) continue;
    if (stated !== current?.version && !(stated === undefined && text.includes('This version is signed off')))
      messages.push(`${panel.id} ${entity.name}: ${current?.version ?? 'nothing'} is signed off: ${text}`);
    const isGreen = current ? await isGreenIn(current.version) : false;
    if (isGreen !== null && saysGreen && !isGreen) messages.push(`not green in ${current?.version}: ${text}`);
    const saysNotYet = text.includes('Not signed off yet');
    const turnsGreen = event.type === 'gene-panel.entity.classified.v1' && event.data.change.to === 'green';
    if (isGreen === true && saysNotYet && turnsGreen) messages.push(`green in ${current?.version}: ${text}`);
  }
  return { messages, read };
}

function textOf(
  event: PanelEvent,
  now: number,
  known: Pick<Parameters<typeof noticeOfEvent>[1], 'signOff' | 'background'>,
): string {
  const context = { times: timeWords('UTC'), now: new Date(now).toISOString(), reason: null, ...known };
  const notice = noticeOfEvent(event, context);
  // The subject of a mail may be cut.
  return `${phraseText(notice.headline)}\n${mailText(notice)}`;
}

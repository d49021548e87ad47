import { inOrder } from '../../lambdas/events/order.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { loadProofs } from '../../lambdas/panels/proof-record.ts';
import { brokenChains } from '../oracle/broken-chains.ts';
import type { Interleaved } from './interleave.ts';
import { CATALOGUE } from './kept-stores.ts';
import { createLife } from './processes.ts';

/** What is wrong after a run; every list is empty where each promise was kept. */
interface Examined {
  /** Rows and changes without a row that no event states, and ratings to which no event leads. */
  readonly lost: readonly string[];
  /** Rows, promotions and tags that two events state. */
  readonly twice: readonly string[];
  /** Ids that were published, or are kept, with another body than their first one. */
  readonly bodies: readonly string[];
  /** Events that state another rating before than the event before them led to. */
  readonly contradicted: readonly string[];
  /** Covered periods other than one from the start to the mark. */
  readonly coverage: readonly string[];
  /** Events that reached no message of a subscription, or two, and messages that came again without saying so. */
  readonly messages: readonly string[];
  /** Panels whose newest version is not kept, and versions that nothing proves. */
  readonly unproven: readonly string[];
  /** What still waits, or goes on, at rest. */
  readonly unrest: readonly string[];
}

/** Compares what happened with what was published, kept and sent. */
export async function examine(run: Interleaved): Promise<Examined> {
  const { state, history, states, documents } = run.stores.open(
    createLife(() => 0),
    'examiner',
  );
  const first = new Map<string, string>();
  const bodies: string[] = [];
  for (const { id, body } of run.accepted) {
    const before = first.get(id);
    if (before === undefined) first.set(id, body);
    else if (before !== body) bodies.push(`${id} was published with two bodies`);
  }
  const kept = new Map<string, string>();
  for await (const { id, body } of history.findRecords({ catalogue: CATALOGUE })) {
    if (kept.has(id)) bodies.push(`${id} is kept twice`);
    kept.set(id, body);
  }
  for (const [id, body] of first) if (kept.get(id) !== body) bodies.push(`${id} is kept as ${kept.get(id)}`);
  for (const id of kept.keys()) if (!first.has(id)) bodies.push(`${id} is kept and was not published`);

  const events = [...first.values()].map((body) => JSON.parse(body) as PanelEvent);
  const facts = Map.groupBy(events.flatMap(factsIn), (fact) => fact);
  const wanted = [...run.changing.rows.map((text) => `row ${text}`), ...run.changing.silentFacts()];
  const stored = await state.load(0n);
  const mark = stored?.position.mark;
  const periods = (await history.coverage()).filter(({ until }) => until !== mark);
  const all = await history.coverage();
  const newest = new Map((await states.panels()).map(({ panelId, version }) => [panelId, version]));
  return {
    lost: [...wanted.filter((fact) => !facts.has(fact)), ...ratingsUnknown(run, events)],
    twice: [...facts].flatMap(([fact, { length }]) => (length > 1 && isUnique(fact) ? [fact] : [])),
    bodies,
    contradicted: brokenChains(acceptedOf(run), { lateRowsBetween: true }),
    coverage: [
      ...periods.map(({ since, until }) => `${since} to ${until}, and the mark is ${mark}`),
      ...(all.length > 1 ? [`${all.length} periods`] : []),
      ...(all.some(({ since }) => since !== stored?.position.start)
        ? ['another beginning than the start']
        : []),
    ],
    unproven: [
      ...(await loadProofs(documents)).unproven.map((one) => `${one.panelId} ${one.version}: ${one.why}`),
      ...[...run.changing.catalogue.panels.values()].flatMap(({ id, listed: { version } }) =>
        newest.get(id) === version ? [] : [`${id} ${version} is not kept`],
      ),
    ],
    messages: [...missingMessages(run, events), ...repeatedMessages(run)],
    unrest: [
      ...(stored?.pending ? ['a recorded chunk'] : []),
      ...Object.entries({ ...run.atRest, requests: run.atRest.requests - 1 }).flatMap(([what, count]) =>
        count === 0 ? [] : [`${what}: ${count}`],
      ),
    ],
  };
}

/**
 * Without those of panels whose region was rated without a row twice: of two such ratings between two sweeps, a listing shows where they
 * led, and states show the one in between later.
 */
const acceptedOf = ({ accepted, changing }: Interleaved): Interleaved['accepted'] =>
  accepted.filter(({ body }) => {
    const { data }: PanelEvent = JSON.parse(body);
    return typeof data.panel?.id !== 'number' || !changing.ratedSilentlyAgain.has(data.panel.id);
  });

/** Facts of which each is stated once: rows, promotions to a version, and tags, which have values of their own. */
function factsIn({ type, data }: PanelEvent): readonly string[] {
  const { panel, change, corrects } = data;
  // A correction states its change again.
  if (corrects !== undefined) return [];
  const facts = data.activities.map(({ text }) => `row ${text}`);
  const kind = kindOf(type);
  if (kind === 'panel.promoted' && 'version' in change)
    facts.push(`${panel?.id} promoted ${String(change.version).split('.')[0]}`);
  if (kind === 'entity.tags-changed' && 'added' in change)
    for (const tag of change.added as readonly string[]) facts.push(`${panel?.id} tag ${tag}`);
  return facts;
}

/** Regions that have another rating than the last event leads to; a region is amber at first. */
function ratingsUnknown({ changing }: Interleaved, events: readonly PanelEvent[]): readonly string[] {
  const led = new Map<unknown, string>();
  for (const { data } of inOrder(events).filter(isRating))
    if ('to' in data.change) led.set(data.panel?.id, String(data.change.to));
  return [...changing.catalogue.panels.values()].flatMap(({ id, held: [region] }) => {
    const rating = ['none', 'red', 'amber', 'green'][Number(region?.confidence_level)];
    return (led.get(id) ?? 'amber') === rating ? [] : [`${id} is ${rating}, and events say ${led.get(id)}`];
  });
}

/** Promotions of two panels may have the same text, and ratings of one region. */
const isUnique = (fact: string): boolean => !/^row (?:promoted|Classified) /.test(fact);

function missingMessages(
  { arrived, dropped }: Interleaved,
  events: readonly PanelEvent[],
): readonly string[] {
  const reached = new Set(
    arrived.flatMap(({ place, events: sent }) => sent.map((event) => `${audienceOf(place)} ${event}`)),
  );
  const ratings = Map.groupBy(events.filter(isRating), ({ subject }) => subject);
  return events.flatMap((event) => {
    // A message says where several ratings of an entity led, and none of those that are no longer so when they become known.
    const { change } = event.data;
    const isSame = 'direction' in change && change.direction === 'unchanged';
    const isSettled = isSame || (isRating(event) && (ratings.get(event.subject)?.length ?? 0) > 1);
    return (isSettled ? [] : ['pipeline', 'people', 'digest']).flatMap((audience) => {
      const names = audience === 'people' ? ['people', 'readers'] : [audience];
      const { id } = event;
      if (names.some((name) => dropped.has(`${name} ${id}`)) || reached.has(`${audience} ${id}`)) return [];
      return [`${id} never reached ${audience}`];
    });
  });
}

const isRating = ({ type }: PanelEvent): boolean => kindOf(type) === 'entity.classified';

/** A renamed subscription has the same readers. */
const audienceOf = (place: string): string => (place.split('/')[0] ?? '').replace('readers', 'people');

function repeatedMessages({ arrived }: Interleaved): readonly string[] {
  const problems: string[] = [];
  const messages = new Map<string, string>();
  const seen = new Set<string>();
  for (const { place, id, events, saysAgain } of arrived) {
    const isRepeat = seen.has(id);
    seen.add(id);
    // A receiver that drops repeats knows them by their id.
    if (isRepeat && !saysAgain && !place.includes('webhook'))
      problems.push(`${place} ${id} came again, unsaid`);
    for (const event of events) {
      const before = messages.get(`${place} ${event}`);
      if (before !== undefined && before !== id) problems.push(`${event} came to ${place} in two messages`);
      messages.set(`${place} ${event}`, id);
    }
  }
  return problems;
}

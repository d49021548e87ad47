import { hash } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { channelId } from '../channels/channel-settings.ts';
import { rCodesIn } from '../events/r-codes.ts';
import type { Filter } from '../filters/filter.ts';
import { panelKey } from '../filters/names.ts';
import { heldByStates } from '../panels/held-at.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import type { History } from '../store/history/history.ts';
import {
  type HeldNames,
  type NamedPlace,
  namesIn,
  type UnknownName,
  unknownNames,
} from '../store/history/unknown-names.ts';
import { readListings } from '../store/items-dynamodb.ts';
import { dayWords } from '../words/panel-words.ts';
import type { NotifyPlan, Subscription } from './subscription.ts';
import { namesMessage, sendPlain, type TrialOptions } from './trial.ts';

interface SubscriptionNames {
  readonly subscription: string;
  readonly names: readonly UnknownName[];
}

/**
 * The subscriptions whose filters have names that nothing has. Where nothing has been read yet, no name is said to be unknown.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function subscriptionNames(
  place: NamedPlace,
  subscriptions: readonly Pick<Subscription, 'name' | 'filter'>[],
): Promise<readonly SubscriptionNames[]> {
  const [covered, listings] = [await place.history.coverage(), await place.listings()];
  if (covered.length + listings.length === 0) return [];
  const all: SubscriptionNames[] = [];
  for (const { name, filter } of subscriptions) {
    // A catalogue that is followed elsewhere is read by another run.
    const { catalogues: _elsewhere, ...asked } = filter;
    const unknown = await unknownNames(place, asked, { found: 0 });
    const isSaid = ({ key, value }: UnknownName): boolean =>
      unknown.some((one) => one.key === key && one.value === value);
    const gone = (await goneNames(place, filter)).filter((one) => !isSaid(one));
    const names = [...unknown, ...gone];
    if (names.length > 0) all.push({ subscription: name, names });
  }
  return all;
}

interface Announcing extends TrialOptions {
  readonly place: NamedPlace;
  readonly log: Log;
}

const NAMES_PARTITION = 'notify#names';
const saidSchema = z.array(z.string());

/**
 * Says in each channel of a subscription which names of its filter were not found: once for each name, and again where it was
 * found in between. A channel that fails is tried again at the next call.
 * @returns what is unknown, also where it was said before
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function announceNames(options: Announcing): Promise<readonly SubscriptionNames[]> {
  const { plan, place, store, log } = options;
  const all = await subscriptionNames(place, plan.subscriptions);
  for (const { name, channels, ...subscription } of plan.subscriptions) {
    const unknown = all.find((each) => each.subscription === name)?.names ?? [];
    const sentences = unknown.map(({ sentence }) => sentence);
    for (const channel of channels) {
      const id = `${name} ${channelId(channel)}`;
      const said = saidSchema.catch([]).parse((await store.get(NAMES_PARTITION, id))?.value);
      const fresh = sentences.filter((sentence) => !said.includes(sentence));
      try {
        if (fresh.length > 0)
          await sendPlain(namesMessage(name, fresh), { name, channel, ...subscription }, options);
        if (fresh.length > 0 || said.length > sentences.length)
          await store.put({ partition: NAMES_PARTITION, id, value: sentences });
      } catch (error) {
        log.warn('A message about unknown names was not sent; the next check tries again', {
          ...{ subscription: name, channel: channelId(channel), error },
        });
      }
    }
  }
  return all;
}

/** Names that exist today are looked up again a day later: a look-up of a rare tag reads the whole history. */
const CHECK_EVERY = 24 * 3_600_000;
const CHECKED = 'checked';

const checkedSchema = z.object({ at: z.number(), filters: z.string() });

const namedKeys = ['panels', 'panelTypes', 'rCodes', 'genes', 'tags', 'actors', 'catalogues'] as const;

/**
 * Looks the names of all filters up once a day, and as soon as a filter was changed, and says in the channels of a subscription
 * which of them were not found. Where nothing has been read yet, the next call looks again.
 * @returns whether the names were looked up
 * @throws {HistoryError | StateError} when the history or a listing cannot be read; the next call tries again
 */
export async function checkNames(options: Announcing): Promise<boolean> {
  const { plan, store, clock, place } = options;
  const asking = plan.subscriptions.filter(({ filter, whenSignedOff = {} }) =>
    namedKeys.some((key) => filter[key] !== undefined || whenSignedOff[key] !== undefined),
  );
  if (asking.length === 0) return false;
  const filters = hash(
    'sha256',
    JSON.stringify(
      asking.map(({ name, filter, whenSignedOff, channels }) => [name, filter, whenSignedOff, channels]),
    ),
  );
  const kept = await store.get(NAMES_PARTITION, CHECKED);
  const last = checkedSchema.safeParse(kept?.value).data;
  if (last && last.filters === filters && clock.now() - last.at < CHECK_EVERY) return false;
  if ((await place.history.coverage()).length === 0) return false;
  await announceNames(options);
  await store.put({ partition: NAMES_PARTITION, id: CHECKED, value: { at: clock.now(), filters } });
  return true;
}

/**
 * The names of a filter that existed and exist no more: panels and codes that are in no listing of panels now, and genes, STRs
 * and regions that are on no panel. Where no listing was read, no panel and no code is gone.
 * @throws {HistoryError | StateError} when the history, a listing or a state cannot be read
 */
async function goneNames(
  place: NamedPlace,
  { panels = [], rCodes = [], genes = [] }: Filter,
): Promise<readonly UnknownName[]> {
  return [...(await gonePanels(place, { panels, rCodes })), ...(await goneEntities(place, genes))];
}

const gone = (key: UnknownName['key'], value: string, statement: string): UnknownName => ({
  key,
  value,
  statement,
  sentence: statement,
});

async function gonePanels(
  place: NamedPlace,
  { panels, rCodes }: Required<Pick<Filter, 'panels' | 'rCodes'>>,
): Promise<readonly UnknownName[]> {
  const listings = await place.listings();
  if (listings.length === 0) return [];
  const names = await namesIn(place);
  const byCatalogue = new Map(listings.map(({ catalogue, listing }) => [catalogue, listing.panels]));
  const found: UnknownName[] = [];
  for (const panel of panels) {
    const value = String(panel);
    const called = /^\d+$/.test(value)
      ? names.panels().filter(({ id }) => id === Number(value))
      : names.panelsCalled(value);
    const listed = called.some(({ catalogue, id }) => byCatalogue.get(catalogue)?.has(id) ?? true);
    if (called.length > 0 && !listed) {
      found.push(gone('panels', value, `The panel “${value}” is no longer in the list of panels.`));
    }
  }
  const codes = new Set(
    listings.flatMap(({ listing }) =>
      [...listing.panels.values()].flatMap(({ facts }) => rCodesIn(facts.relevantDisorders)),
    ),
  );
  for (const value of rCodes) {
    if (!codes.has(value.toUpperCase()))
      found.push(gone('rCodes', value, `No panel in the list of panels has the code ${value} now.`));
  }
  return found;
}

/** A longer list is not looked up gene by gene. */
const MOST_LOOKED_UP = 500;
/** More events of a gene are not read: one that was not removed shows that the gene exists. */
const MOST_EVENTS = 500;

async function goneEntities(place: NamedPlace, genes: readonly string[]): Promise<readonly UnknownName[]> {
  if (genes.length === 0 || genes.length > MOST_LOOKED_UP) return [];
  const names = await place.history.names();
  let held: HeldNames | undefined;
  const found: UnknownName[] = [];
  for (const value of genes) {
    const keys = [
      ...names.entityKeys(value),
      ...names.entityKeysOnPanels(value).flatMap((onPanel) => onPanel.keys),
    ];
    const removal = await lastRemoval(place, value);
    if (!removal) continue;
    held ??= await place.held?.();
    if (keys.some((key) => held?.keys.has(key))) continue;
    const { panel, day } = removal;
    const removed = `“${value}” was removed from “${panel}” on ${day}`;
    const rest = held?.isWhole
      ? 'and is on no panel now.'
      : 'and no later change of it was read. It may be on panels of which no change was read.';
    found.push(gone('genes', value, `${removed}, ${rest}`));
  }
  return found;
}

/** The last removal of an entity, where it was removed last from every panel with an event of it; null else. */
async function lastRemoval(
  { history }: NamedPlace,
  gene: string,
): Promise<{ readonly panel: string; readonly day: string } | null> {
  const query = { filter: { genes: [gene] }, order: 'newest', limit: MOST_EVENTS } as const;
  const panels = new Set<string>();
  let last: { readonly panel: string; readonly day: string } | null = null;
  for await (const { type, time = '', data } of history.findWithoutRows(query)) {
    const panel = panelKey(data.catalogue, data.panel?.id ?? 0);
    if (panels.has(panel)) continue;
    if (type !== 'gene-panel.entity.removed.v1') return null;
    panels.add(panel);
    last ??= { panel: data.panel?.name ?? '', day: dayWords(time.slice(0, 10)) };
  }
  return last;
}

interface DeployedPlaceOptions {
  readonly dynamodb: DynamoDBClient;
  /** The table of the state, in which the polls keep the last listing of panels. */
  readonly table: string;
  readonly plan: Pick<NotifyPlan, 'catalogues'>;
  readonly history: History;
  readonly statesOf: (catalogue: string) => Pick<PanelStateStore, 'panels' | 'newest'>;
  readonly clock: Clock;
}

/** Where a deployed stage looks the names of its filters up: its history, its listings of panels, and their newest states. */
export function deployedPlace(options: DeployedPlaceOptions): NamedPlace {
  const { dynamodb, table, plan, history, statesOf, clock } = options;
  const listings: NamedPlace['listings'] = () =>
    readListings({ dynamodb, table, catalogues: plan.catalogues, clock });
  return {
    history,
    isLocal: false,
    listings,
    held: async () => heldByStates({ catalogues: plan.catalogues, statesOf, listings: await listings() }),
  };
}

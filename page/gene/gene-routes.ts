import type { Hono } from 'hono';
import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { entityTypes } from '../../lambdas/events/schemas.ts';
import { nameKey } from '../../lambdas/filters/names.ts';
import { createNetChanges } from '../../lambdas/filters/net-changes.ts';
import { contentsOf } from '../../lambdas/panels/compare-states.ts';
import { loadDisagreements } from '../../lambdas/panels/disagreement-record.ts';
import { heldInVersion, holdingsNow } from '../../lambdas/panels/held-at.ts';
import { type PanelPair, pairsInFile } from '../../lambdas/panels/panel-pairs.ts';
import { signedOffAt } from '../../lambdas/panels/signed-off-at.ts';
import { ratedSince } from '../../lambdas/panels/since-when.ts';
import { identitiesCalled } from '../../lambdas/panels/sqlite-panel-states.ts';
import { type Holding, identityOf, type VersionSummary } from '../../lambdas/panels/version-state.ts';
import { geneAddress } from '../../lambdas/questions/addresses.ts';
import { pairWords } from '../../lambdas/questions/compare-rows.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { statusWord, versionCell } from '../../lambdas/words/change-csv.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { byteOrderMark, csvLine } from '../../lambdas/words/csv.ts';
import { ratingWord } from '../../lambdas/words/phrase.ts';
import { html } from '../html.ts';
import { isAllUnknown, unknownNames, unknownNamesView } from '../names/page-names.ts';
import { AddressError, csvResponse, fileWord } from '../read-address.ts';
import type { RouteContext } from '../route-context.ts';
import { addressOf, readView } from '../view.ts';
import {
  type CatalogueHoldings,
  type GenePage,
  genePageView,
  heldOn,
  type PlacedHolding,
  sentenceOf,
} from './gene-view.ts';

function identified(identity: string, name: string): Pick<Holding, 'type' | 'name' | 'hgncId'> {
  const type = entityTypes.find((one) => identity.startsWith(`${one}:`));
  return type
    ? { type, name: identity.slice(type.length + 1), hgncId: null }
    : { type: 'gene', name, hgncId: identity };
}

/** The panels that hold a gene, STR or region. */
export function addGeneRoutes(app: Hono, context: RouteContext): void {
  app.get('/gene', async ({ req }) => {
    const { name, found } = await read(req.query('name'), context);
    if (!found) return unknownGene(name, context);
    const { present, hgncIds, catalogues } = found;
    return context.answer({
      title: present,
      current: 'none',
      main: genePageView({
        name: cleanLine(name),
        isRenamed: nameKey(present) !== nameKey(name),
        present,
        hgncIds,
        catalogues,
        ...(await pairing(catalogues, context)),
        day: context.times.day,
      }),
    });
  });

  app.get('/gene.csv', async ({ req }) => {
    const { name, found } = await read(req.query('name'), context);
    return found
      ? csvResponse([geneCsv(found.catalogues)], `panels-of-${fileWord(name)}`)
      : unknownGene(name, context);
  });
}

/** The panels that hold what is called so; null where no panel and no change has the name. */
async function read(given: string | undefined, context: RouteContext) {
  const { file, pages } = context;
  const name = (given ?? '').trim();
  if (name === '' || name.length > 200)
    throw new AddressError('“name” is empty; expected a gene, STR or region.');
  const names = pages.names();
  const keys = names.entityKeys(name);
  const identities = new Set(identitiesCalled(file, keys));
  // The history may know the HGNC id under which panels hold the gene by another symbol.
  const { events } = pages.page({ filter: { genes: [name] } }, { size: 20, examined: 1_000 });
  for (const { event } of events) {
    const { entity } = event.data;
    // On one panel, a curator may have replaced it by another gene.
    if (entity && [entity.name, entity.hgncId ?? ''].some((one) => keys.includes(nameKey(one))))
      identities.add(identityOf({ ...entity, hgncId: entity.hgncId ?? null }));
  }
  if (identities.size === 0) return { name, found: null };
  const catalogues = await Promise.all(
    (await context.followed()).map(async (catalogue): Promise<CatalogueHoldings> => {
      const store = context.states(catalogue);
      const place = { catalogue, states: store, history: context.history };
      const held = await holdingsNow(
        new Map([...identities].map((one) => [one, identified(one, name)])),
        place,
      );
      const listing = await createSqliteStore(file, catalogue).listing();
      const read = await store.panels();
      return {
        catalogue,
        holdings: await placed([...held.values()].flat(), { catalogue, read, name }, context),
        read,
        listed: listing?.panels.size ?? null,
      };
    }),
  );
  const present = cleanLine(spelt(names.presentEntityName(name), catalogues));
  const hgncIds = [...identities].filter((identity) => identity.startsWith('HGNC:'));
  return { name, found: { present, hgncIds, catalogues } };
}

async function placed(
  holdings: readonly Holding[],
  {
    catalogue,
    read,
    name,
  }: { readonly catalogue: string; readonly read: readonly VersionSummary[]; readonly name: string },
  context: RouteContext,
): Promise<readonly PlacedHolding[]> {
  const store = context.states(catalogue);
  const place = { catalogue, states: store, history: context.history };
  const [signOffs, panels] = [await store.signOffs(), new Map(read.map((panel) => [panel.panelId, panel]))];
  const net = createNetChanges();
  const asked = { catalogue, filter: { genes: [name] }, order: 'oldest' } as const;
  for await (const event of context.history.findWithoutRows(asked)) net.add(event);
  const changed = new Map(net.result().panels.map(({ id, lists }) => [id, Object.values(lists).flat()]));
  return Promise.all(
    holdings.map(async (holding): Promise<PlacedHolding> => {
      const { panelId, type, rating } = holding;
      const own = signOffs.filter((signOff) => signOff.panelId === panelId);
      const signOff = signedOffAt(own, instantOf(context.clock.now()));
      const held = signOff && (await heldInVersion(panelId, signOff.version, place));
      const change = changed
        .get(panelId)
        ?.find(({ entity }) => entity.type === type && nameKey(entity.name) === nameKey(holding.name));
      const panel = panels.get(panelId);
      const atLatest = panel ? { at: panel.validFrom, version: panel.version, isExact: false } : null;
      return {
        ...holding,
        signedOff: signOff &&
          held && { version: signOff.version, status: contentsOf(held.state).statusOf(holding) },
        since: ratedSince(change, { entity: holding, status: rating ?? 'unknown' }) ?? atLatest,
      };
    }),
  );
}

/**
 * Why two panels belong together: as the file of pairs says, or as the catalogues were compared last for their disagreements. Where
 * neither is, equal names alone count, and the view says so: to find more takes what every panel holds.
 */
async function pairing(
  catalogues: readonly CatalogueHoldings[],
  context: RouteContext,
): Promise<Pick<GenePage, 'belongTogether' | 'pairedByName'>> {
  const settled = new Map<string, ReadonlyMap<string, string>>();
  for (const one of catalogues)
    for (const other of catalogues) {
      const pairs = one === other ? null : await settledPairs(one, other, context);
      if (!pairs) continue;
      const reasons = pairs.map(
        ({ panels: [left, right], ...pair }) => [`${left.id} ${right.id}`, pairWords(pair)] as const,
      );
      settled.set(`${one.catalogue} ${other.catalogue}`, new Map(reasons));
    }
  const settledOf = (one: string, other: string) => ({
    pairs: settled.get(`${one} ${other}`),
    turned: settled.get(`${other} ${one}`),
  });
  const twos = catalogues.flatMap(({ catalogue: one }, place) =>
    catalogues.slice(place + 1).map(({ catalogue: other }) => [one, other] as const),
  );
  return {
    pairedByName: twos.filter((two) => Object.values(settledOf(...two)).every((pairs) => !pairs)),
    belongTogether(one, other) {
      if (one.catalogue === other.catalogue) return one.panelId === other.panelId ? '' : null;
      const { pairs, turned } = settledOf(one.catalogue, other.catalogue);
      if (!pairs && !turned)
        return nameKey(one.panel.panelName) === nameKey(other.panel.panelName) ? 'equal names' : null;
      return (
        pairs?.get(`${one.panelId} ${other.panelId}`) ??
        turned?.get(`${other.panelId} ${one.panelId}`) ??
        null
      );
    },
  };
}

async function settledPairs(
  one: CatalogueHoldings,
  other: CatalogueHoldings,
  { file, pairs: statedPairs }: RouteContext,
): Promise<readonly PanelPair[] | null> {
  const two = [one.catalogue, other.catalogue] as const;
  const stated = statedPairs?.(...two) ?? null;
  const panelsOf = ({ read }: CatalogueHoldings) =>
    read.map(({ panelId: id, panelName }) => ({ id, name: panelName }));
  if (stated !== null) return pairsInFile(stated, two, [panelsOf(one), panelsOf(other)]).pairs;
  const { pairs } = await loadDisagreements(createSqliteDocuments(file, two[0]), two[1]);
  return pairs.length === 0 ? null : pairs;
}

async function unknownGene(name: string, context: RouteContext): Promise<Response> {
  const view = readView(new URLSearchParams({ gene: name }));
  const unknown = await unknownNames(context, view, await context.names());
  const notice = isAllUnknown(view, unknown)
    ? unknownNamesView(unknown, (_name, chosen) => geneAddress(chosen))
    : html`<p class="notice">Which panels hold it is unknown. <a href="${addressOf(view)}">Its changes</a></p>`;
  return context.answer(
    {
      title: 'No such gene',
      current: 'none',
      main: html`<div class="page"><h1>${name}</h1>${notice}</div>`,
    },
    404,
  );
}

/** A name as panels spell it, where one holds it in another letter case. */
function spelt(name: string, catalogues: readonly CatalogueHoldings[]): string {
  const held = catalogues.flatMap(({ holdings }) => holdings.map((holding) => holding.name));
  return held.find((each) => nameKey(each) === nameKey(name)) ?? name;
}

type HeldRow = ReturnType<typeof heldOn>[number] & Pick<CatalogueHoldings, 'catalogue'>;

const columns: Readonly<Record<string, (row: HeldRow) => Parameters<typeof csvLine>[0][number]>> = {
  catalogue: ({ catalogue }) => catalogue,
  'panel id': ({ panelId }) => panelId,
  panel: ({ panel }) => panel.panelName,
  'R codes': ({ panel }) => rCodesIn(panel.relevantDisorders ?? []).join('; '),
  rating: ({ rating }) => ratingWord(rating),
  'name there': ({ name }) => name,
  'HGNC id': ({ hgncId }) => hgncId,
  version: ({ panel }) => versionCell(panel.version),
  'signed-off version': ({ signedOff }) => signedOff && versionCell(signedOff.version),
  'signed-off rating': ({ signedOff }) => signedOff && statusWord(signedOff.status),
  since: ({ since }) => since && formatInstant(since.at),
  'since is exact': ({ since }) => since && (since.isExact ? 'yes' : 'no'),
};

const geneCsv = (catalogues: readonly CatalogueHoldings[]): string =>
  [
    byteOrderMark + csvLine(Object.keys(columns)),
    ...catalogues.flatMap((of) => [
      ...heldOn(of).map((held) =>
        csvLine(Object.values(columns).map((cell) => cell({ ...held, catalogue: of.catalogue }))),
      ),
      csvLine([of.catalogue, null, sentenceOf(of)]),
    ]),
  ].join('');

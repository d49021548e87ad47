import type { Hono } from 'hono';
import { ratings } from '../lambdas/events/changes.ts';
import { rCodesIn } from '../lambdas/events/r-codes.ts';
import { entityTypes } from '../lambdas/events/schemas.ts';
import { nameKey } from '../lambdas/filters/names.ts';
import { createNetChanges } from '../lambdas/filters/net-changes.ts';
import { contentsOf } from '../lambdas/panels/compare-states.ts';
import { loadDisagreements } from '../lambdas/panels/disagreement-record.ts';
import { heldInVersion, holdingsNow } from '../lambdas/panels/held-at.ts';
import { type PanelPair, pairsInFile } from '../lambdas/panels/panel-pairs.ts';
import { signedOffAt } from '../lambdas/panels/signed-off-at.ts';
import { ratedSince } from '../lambdas/panels/since-when.ts';
import { identitiesCalled } from '../lambdas/panels/sqlite-panel-states.ts';
import { type Holding, identityOf, type VersionSummary } from '../lambdas/panels/version-state.ts';
import { entityAddress, geneAddress, panelAddress, versionAddress } from '../lambdas/questions/addresses.ts';
import { pairWords } from '../lambdas/questions/compare-rows.ts';
import { formatInstant, instantOf } from '../lambdas/run/instant.ts';
import { counted } from '../lambdas/run/text.ts';
import { createSqliteDocuments } from '../lambdas/store/items-sqlite.ts';
import { createSqliteStore } from '../lambdas/store/sqlite.ts';
import { statusWord, versionCell } from '../lambdas/words/change-csv.ts';
import { byteOrderMark, cleanLine, csvLine } from '../lambdas/words/clean-text.ts';
import { ratingWord } from '../lambdas/words/phrase.ts';
import { codesView, type Html, html, type LocalTimes, ratingView } from './html.ts';
import { isAllUnknown, unknownNames, unknownNamesView } from './names.ts';
import { AddressError, csvResponse, fileWord } from './read-address.ts';
import type { RouteContext } from './route-context.ts';

/** The panels that hold a gene, STR or region, with its rating there, in every catalogue: as a view, and as CSV. */
export function addGeneRoutes(app: Hono, context: RouteContext): void {
  app.get('/gene', async ({ req }) => {
    const { name, found } = await read(req.query('name'), context);
    if (!found) return unknownGene(name, context);
    const main = genePageView(
      name,
      { ...found, ...(await pairing(found.catalogues, context)) },
      context.times,
    );
    return context.answer({ title: found.present, current: 'none', main });
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
  const asked = new Map([...identities].map((one) => [one, identified(one, name)]));
  const followed = await context.followed();
  const catalogues = await Promise.all(followed.map((one) => holdingsIn(one, { name, asked }, context)));
  // A name as panels spell it, where one holds it in another letter case.
  const present = names.presentEntityName(name);
  const spelt = catalogues
    .flatMap(({ held }) => held)
    .find((each) => nameKey(each.name) === nameKey(present))?.name;
  const hgncIds = [...identities].filter((identity) => identity.startsWith('HGNC:'));
  return { name, found: { present: cleanLine(spelt ?? present), hgncIds, catalogues } };
}

function identified(identity: string, name: string): Pick<Holding, 'type' | 'name' | 'hgncId'> {
  const type = entityTypes.find((one) => identity.startsWith(`${one}:`));
  return type
    ? { type, name: identity.slice(type.length + 1), hgncId: null }
    : { type: 'gene', name, hgncId: identity };
}

/** The panels of one catalogue that hold what is asked for, green ones first, and what was read of the catalogue. */
async function holdingsIn(
  catalogue: string,
  { name, asked }: { readonly name: string; readonly asked: Parameters<typeof holdingsNow>[0] },
  context: RouteContext,
) {
  const { file, history, clock } = context;
  const states = context.states(catalogue);
  const place = { catalogue, states, history };
  const holdings = [...(await holdingsNow(asked, place)).values()].flat();
  const listing = await createSqliteStore(file, catalogue).listing();
  const read = await states.panels();
  const panels = new Map(read.map((panel) => [panel.panelId, panel]));
  const signOffs = await states.signOffs();
  const net = createNetChanges();
  const query = { catalogue, filter: { genes: [name] }, order: 'oldest' } as const;
  for await (const event of history.findWithoutRows(query)) net.add(event);
  const changed = new Map(net.result().panels.map(({ id, lists }) => [id, Object.values(lists).flat()]));
  const held = holdings.map(async (holding) => {
    const { panelId, type, rating } = holding;
    const panel = panels.get(panelId);
    const own = signOffs.filter((signOff) => signOff.panelId === panelId);
    const signOff = signedOffAt(own, instantOf(clock.now()));
    const then = signOff && (await heldInVersion(panelId, signOff.version, place));
    const change = changed
      .get(panelId)
      ?.find(({ entity }) => entity.type === type && nameKey(entity.name) === nameKey(holding.name));
    if (!panel) return [];
    const atLatest = { at: panel.validFrom, version: panel.version, isExact: false };
    return {
      ...{ ...holding, catalogue, panel },
      /** What the signed-off version says; null where none is, or it was not read. */
      signedOff: signOff &&
        then && { version: signOff.version, status: contentsOf(then.state).statusOf(holding) },
      /** Since when it is rated so. */
      since: ratedSince(change, { entity: holding, status: rating ?? 'unknown' }) ?? atLatest,
    };
  });
  return {
    catalogue,
    /** The newest version of each panel whose state was read. */
    read,
    /** Panels that the catalogue lists; null where no listing was read. */
    listed: listing?.panels.size ?? null,
    held: (await Promise.all(held))
      .flat()
      .sort(
        (one, other) => rankOf(one) - rankOf(other) || (one.panel.panelName < other.panel.panelName ? -1 : 1),
      ),
  };
}

type CatalogueHoldings = Awaited<ReturnType<typeof holdingsIn>>;
type Held = CatalogueHoldings['held'][number];

const rankOf = ({ rating }: Holding): number => (rating === null ? ratings.length : ratings.indexOf(rating));

type PlacedPanel = Pick<Held, 'catalogue' | 'panelId'> & {
  readonly panel: Pick<VersionSummary, 'panelName'>;
};

/**
 * Why two panels belong together: as the file of pairs says, or as the catalogues were compared last for their disagreements. Where
 * neither is, equal names alone count, and the view says so: to find more takes what every panel holds.
 */
async function pairing(catalogues: readonly CatalogueHoldings[], context: RouteContext) {
  const settled = new Set<string>();
  const reasons = new Map<string, string>();
  for (const one of catalogues)
    for (const other of catalogues) {
      const pairs = one === other ? null : await settledPairs(one, other, context);
      if (!pairs) continue;
      const [here, there] = [one.catalogue, other.catalogue];
      settled.add(`${here} ${there}`).add(`${there} ${here}`);
      for (const { panels, ...pair } of pairs) {
        const [left, right] = [`${here} ${panels[0].id}`, `${there} ${panels[1].id}`];
        const turned = `${right} ${left}`;
        reasons.set(`${left} ${right}`, pairWords(pair));
        reasons.set(turned, reasons.get(turned) ?? pairWords(pair));
      }
    }
  const twos = catalogues.flatMap(({ catalogue: one }, place) =>
    catalogues.slice(place + 1).map(({ catalogue: other }) => [one, other] as const),
  );
  return {
    /** Catalogues of which nothing but equal names says which panels belong together. */
    pairedByName: twos.filter((two) => !settled.has(two.join(' '))),
    /** Such as `likely: 4 of 5 green entities in both`, and empty for one panel; null where they do not. */
    belongTogether(one: PlacedPanel, other: PlacedPanel): string | null {
      if (one.catalogue === other.catalogue) return one.panelId === other.panelId ? '' : null;
      if (!settled.has(`${one.catalogue} ${other.catalogue}`))
        return nameKey(one.panel.panelName) === nameKey(other.panel.panelName) ? 'equal names' : null;
      return reasons.get(`${one.catalogue} ${one.panelId} ${other.catalogue} ${other.panelId}`) ?? null;
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
  const asked = { gene: [name] };
  const unknown = await unknownNames(context, asked, await context.names());
  const notice = isAllUnknown(asked, unknown)
    ? unknownNamesView(unknown, {}, ({ gene: [chosen = ''] = [] }) => geneAddress(chosen))
    : html`<p class="notice">Which panels hold it is unknown. <a href="/?${String(new URLSearchParams({ gene: name }))}">Its changes</a></p>`;
  return context.answer(
    {
      title: 'No such gene',
      current: 'none',
      main: html`<div class="page"><h1>${name}</h1>${notice}</div>`,
    },
    404,
  );
}

type GenePage = NonNullable<Awaited<ReturnType<typeof read>>['found']> & Awaited<ReturnType<typeof pairing>>;

function genePageView(given: string, shown: GenePage, times: LocalTimes): Html {
  const { present, hgncIds, catalogues, pairedByName } = shown;
  const name = cleanLine(given);
  const isRenamed = nameKey(present) !== nameKey(given);
  const formerly = isRenamed ? html` <span class="fine">formerly ${name}</span>` : '';
  return html`<div class="page gene-page">
<h1>${present}${formerly}</h1>
<p class="lead">${hgncIds.join(', ')}</p>
<p class="links"><a href="${entityAddress(name)}">All changes of ${present}</a> <a href="/gene.csv?${String(new URLSearchParams({ name }))}">CSV</a></p>
${catalogues.map((each) => html`<p><b>${each.catalogue}</b> ${sentenceOf(each)}</p>`)}
${pairedByName.map(
  (two) =>
    html`<p class="fine">Panels of ${two[0]} and ${two[1]} are side by side here where their names are equal. <a href="/compare?${String(new URLSearchParams({ sides: two.join(',') }))}">Disagreements</a> also goes by former names, disorders and green genes.</p>`,
)}
${sideBySide(shown, times)}
${catalogues.length === 0 ? html`<p class="notice">No catalogue has been read yet.</p>` : ''}
</div>`;
}

function sideBySide({ catalogues, belongTogether }: GenePage, { day }: LocalTimes): Html {
  const held = catalogues.flatMap((of) => of.held);
  if (held.length === 0) return html``;
  const rows: { readonly panels: Held[]; readonly reasons: Set<string> }[] = [];
  for (const each of held) {
    const [found] = rows.flatMap((row) => {
      const reason = row.panels.flatMap((other) => belongTogether(other, each) ?? [])[0];
      return reason === undefined ? [] : [{ row, reason }];
    });
    if (!found) rows.push({ panels: [each], reasons: new Set() });
    else {
      found.row.panels.push(each);
      if (found.reason !== '') found.row.reasons.add(found.reason);
    }
  }
  rows.sort(
    ({ panels: [one] }, { panels: [other] }) => (one ? rankOf(one) : 0) - (other ? rankOf(other) : 0),
  );
  const cellOf = ({ catalogue, panelId, panel, name, rating, signedOff, since }: Held, first: Held): Html => {
    const isSameName = nameKey(panel.panelName) === nameKey(first.panel.panelName);
    const other = isSameName
      ? ''
      : html`<a href="${panelAddress(catalogue, panelId)}">${cleanLine(panel.panelName)}</a>: `;
    const date = `${since.isExact ? 'since' : 'since at the latest'} ${day(since.at)}, `;
    const version = html`<a href="${versionAddress(catalogue, panelId, panel.version)}">${cleanLine(panel.version)}</a>`;
    return html`<p>${other}${ratingView(rating)} ${cleanLine(name)} <span class="fine">${date}version ${version}${signedOff ? html`, signed off in ${cleanLine(signedOff.version)}: ${ratingView(signedOff.status)}` : ''}</span></p>`;
  };
  /** What a catalogue says whose panels do not hold it: nothing is left empty, since an empty cell says neither. */
  const absentOf = ({ catalogue, read, listed }: CatalogueHoldings, first: Held): Html => {
    const panels = read.filter(
      (panel) => belongTogether(first, { catalogue, panelId: panel.panelId, panel }) !== null,
    );
    if (panels.length === 0)
      return html`<p class="fine">${listed !== null && listed <= read.length ? 'no panel that belongs to it' : 'unknown: no panel that belongs to it has been read'}</p>`;
    return html`${panels.map(
      (panel) =>
        html`<p>not on <a href="${panelAddress(catalogue, panel.panelId)}">${cleanLine(panel.panelName)}</a> <span class="fine">version ${cleanLine(panel.version)}</span></p>`,
    )}`;
  };
  return html`<table class="plain"><thead><tr><th scope="col">Panel</th>${catalogues.map(({ catalogue }) => html`<th scope="col">${catalogue}</th>`)}</tr></thead><tbody>
${rows.map(({ panels, reasons }) => {
  const [first] = panels;
  if (!first) return '';
  return html`<tr><th scope="row"><a href="${panelAddress(first.catalogue, first.panelId)}">${cleanLine(first.panel.panelName)}</a>${codesView(codesOf(first.panel))}${reasons.size === 0 ? '' : html` <span class="fine">${[...reasons].map((reason) => cleanLine(reason)).join('; ')}</span>`}</th>${catalogues.map(
    (of) => {
      const cells = panels
        .filter((each) => each.catalogue === of.catalogue)
        .map((each) => cellOf(each, first));
      return html`<td>${cells.length > 0 ? cells : absentOf(of, first)}</td>`;
    },
  )}</tr>
`;
})}</tbody></table>`;
}

/** How many panels hold it, of those that were read: of the others nothing can be said. */
function sentenceOf({ held, read: states, listed }: CatalogueHoldings): string {
  const [holding, read] = [held.length, states.length];
  if (read === 0) return 'Which panels hold it is unknown: no state of a panel has been read yet.';
  const of = listed === null || listed <= read ? counted(read, 'panel') : `${read} of ${listed} panels`;
  const found =
    holding === 0
      ? `None of the ${of} that were read holds it.`
      : `${counted(holding, 'panel')} of the ${of} that were read ${holding === 1 ? 'holds' : 'hold'} it.`;
  return listed !== null && listed > read ? `${found} The others may hold it too.` : found;
}

const codesOf = (summary: VersionSummary): string => {
  const codes = rCodesIn(summary.relevantDisorders ?? []);
  return codes.length === 0 ? '' : ` (${codes.slice(0, 4).join(', ')})`;
};

const columns: Readonly<Record<string, (row: Held) => Parameters<typeof csvLine>[0][number]>> = {
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
  since: ({ since }) => formatInstant(since.at),
  'since is exact': ({ since }) => (since.isExact ? 'yes' : 'no'),
};

const geneCsv = (catalogues: readonly CatalogueHoldings[]): string =>
  [
    byteOrderMark + csvLine(Object.keys(columns)),
    ...catalogues.flatMap((of) => [
      ...of.held.map((row) => csvLine(Object.values(columns).map((cell) => cell(row)))),
      csvLine([of.catalogue, null, sentenceOf(of)]),
    ]),
  ].join('');

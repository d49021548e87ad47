import { ratings } from '../../lambdas/events/changes.ts';
import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import type { Holding, VersionSummary } from '../../lambdas/panels/version-state.ts';
import { entityAddress, panelAddress, versionAddress } from '../../lambdas/questions/addresses.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { codesView } from '../frame/codes-view.ts';
import { type Html, html } from '../frame/html.ts';
import { ratingView } from '../frame/rating-view.ts';

/** The panels of one catalogue that hold what is asked for. */
export interface CatalogueHoldings {
  readonly catalogue: string;
  readonly holdings: readonly Holding[];
  /** The newest version of each panel whose state was read. */
  readonly read: readonly VersionSummary[];
  /** Panels that the catalogue lists; null where no listing was read. */
  readonly listed: number | null;
}

interface GenePage {
  /** The name that was asked for. */
  readonly name: string;
  /** The name that it has now, where the catalogue replaced it. */
  readonly present: string;
  readonly isRenamed: boolean;
  readonly hgncIds: readonly string[];
  readonly catalogues: readonly CatalogueHoldings[];
}

/** Every panel that holds a gene, STR or region, with its rating there, in every catalogue. */
export function genePageView({ name, present, isRenamed, hgncIds, catalogues }: GenePage): Html {
  const formerly = !isRenamed ? '' : html` <span class="fine">formerly ${name}</span>`;
  return html`<div class="page gene-page">
<h1>${present}${formerly}</h1>
<p class="lead">${hgncIds.join(', ')}</p>
<p class="links"><a href="${entityAddress(name)}">All changes of ${present}</a> <a href="/gene.csv?${String(new URLSearchParams({ name }))}">CSV</a></p>
${catalogues.map(catalogueSection)}
${catalogues.length === 0 ? html`<p class="notice">No catalogue was read yet.</p>` : ''}
</div>`;
}

/** The panels that hold it, green ones first, each with its newest version that was read. */
export function heldOn({
  holdings,
  read,
}: CatalogueHoldings): readonly (Holding & { readonly panel: VersionSummary })[] {
  const versions = new Map(read.map((summary) => [summary.panelId, summary]));
  return holdings
    .flatMap((holding) => {
      const panel = versions.get(holding.panelId);
      return panel ? [{ ...holding, panel }] : [];
    })
    .sort(
      (one, other) => rankOf(one) - rankOf(other) || (one.panel.panelName < other.panel.panelName ? -1 : 1),
    );
}

function catalogueSection(of: CatalogueHoldings): Html {
  const { catalogue } = of;
  const sorted = heldOn(of);
  return html`<section><h2>${catalogue}</h2>
<p>${sentenceOf(of)}</p>
${
  sorted.length === 0
    ? ''
    : html`<table class="plain"><thead><tr><th scope="col">Panel</th><th scope="col">Rating</th><th scope="col">Name there</th><th scope="col">Version</th></tr></thead><tbody>
${sorted.map(
  ({ panelId, panel, rating, name }) =>
    html`<tr><th scope="row"><a href="${panelAddress(catalogue, panelId)}">${cleanLine(panel.panelName)}</a>${codesView(codesOf(panel))}</th><td>${ratingView(rating)}</td><td>${cleanLine(name)}</td><td class="number"><a href="${versionAddress(catalogue, panelId, panel.version)}">${cleanLine(panel.version)}</a></td></tr>
`,
)}</tbody></table>`
}</section>`;
}

/** How many panels hold it, of those that were read: of the others nothing can be said. */
export function sentenceOf({ holdings, read: states, listed }: CatalogueHoldings): string {
  const [holding, read] = [holdings.length, states.length];
  if (read === 0) return 'Which panels hold it is unknown: no state of a panel was read yet.';
  const of = listed === null || listed <= read ? counted(read, 'panel') : `${read} of ${listed} panels`;
  const found =
    holding === 0
      ? `None of the ${of} that were read holds it.`
      : `${counted(holding, 'panel')} of the ${of} that were read ${holding === 1 ? 'holds' : 'hold'} it.`;
  return listed !== null && listed > read ? `${found} The others may hold it too.` : found;
}

const rankOf = ({ rating }: Holding): number => (rating === null ? ratings.length : ratings.indexOf(rating));

const codesOf = (summary: VersionSummary | undefined): string => {
  const codes = rCodesIn(summary?.relevantDisorders ?? []);
  return codes.length === 0 ? '' : ` (${codes.slice(0, 4).join(', ')})`;
};

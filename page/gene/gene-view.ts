import { ratings } from '../../lambdas/events/changes.ts';
import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import type { EntityStatus } from '../../lambdas/filters/entity-history.ts';
import { nameKey } from '../../lambdas/filters/names.ts';
import type { Since } from '../../lambdas/panels/since-when.ts';
import type { Holding, VersionSummary } from '../../lambdas/panels/version-state.ts';
import { entityAddress, panelAddress, versionAddress } from '../../lambdas/questions/addresses.ts';
import type { Instant } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { codesView, type Html, html, ratingView } from '../html.ts';

/** An entity on a panel, and what the panel says of it beside its rating. */
export interface PlacedHolding extends Holding {
  /** What the signed-off version says; null where none is, or it was not read. */
  readonly signedOff: { readonly version: string; readonly status: EntityStatus } | null;
  /** Since when it is rated so; null where the panel was not read. */
  readonly since: Since | null;
}

/** The panels of one catalogue that hold what is asked for. */
export interface CatalogueHoldings {
  readonly catalogue: string;
  readonly holdings: readonly PlacedHolding[];
  /** The newest version of each panel whose state was read. */
  readonly read: readonly VersionSummary[];
  /** Panels that the catalogue lists; null where no listing was read. */
  readonly listed: number | null;
}

interface PlacedPanel {
  readonly catalogue: string;
  readonly panelId: number;
  readonly panel: Pick<VersionSummary, 'panelName'>;
}

/** What the page of a gene, STR or region shows. */
export interface GenePage {
  /** The name that was asked for. */
  readonly name: string;
  /** The name that it has now, where the catalogue replaced it. */
  readonly present: string;
  readonly isRenamed: boolean;
  readonly hgncIds: readonly string[];
  readonly catalogues: readonly CatalogueHoldings[];
  /** Why two panels belong together, such as `likely: 4 of 5 green entities in both`, and empty for one panel; null where they do not. */
  belongTogether(one: PlacedPanel, other: PlacedPanel): string | null;
  /** Catalogues of which nothing but equal names says which panels belong together. */
  readonly pairedByName: readonly (readonly [string, string])[];
  day(at: Instant): string;
}

/** Every panel that holds a gene, STR or region, with its rating there, in every catalogue. */
export function genePageView(shown: GenePage): Html {
  const { name, present, isRenamed, hgncIds, catalogues, pairedByName } = shown;
  const formerly = !isRenamed ? '' : html` <span class="fine">formerly ${name}</span>`;
  return html`<div class="page gene-page">
<h1>${present}${formerly}</h1>
<p class="lead">${hgncIds.join(', ')}</p>
<p class="links"><a href="${entityAddress(name)}">All changes of ${present}</a> <a href="/gene.csv?${String(new URLSearchParams({ name }))}">CSV</a></p>
${catalogues.map((each) => html`<p><b>${each.catalogue}</b> ${sentenceOf(each)}</p>`)}
${pairedByName.map(
  (two) =>
    html`<p class="fine">Panels of ${two[0]} and ${two[1]} are side by side here where their names are equal. <a href="/compare?${String(new URLSearchParams({ sides: two.join(',') }))}">Disagreements</a> also goes by former names, disorders and green genes.</p>`,
)}
${sideBySide(shown)}
${catalogues.length === 0 ? html`<p class="notice">No catalogue has been read yet.</p>` : ''}
</div>`;
}

/** The panels that hold it, green ones first, each with its newest version that was read. */
export function heldOn({
  holdings,
  read,
}: CatalogueHoldings): readonly (PlacedHolding & { readonly panel: VersionSummary })[] {
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

function sideBySide({ catalogues, belongTogether, day }: GenePage): Html {
  const held = catalogues.flatMap((of) => heldOn(of).map((each) => ({ ...each, catalogue: of.catalogue })));
  if (held.length === 0) return html``;
  const rows: { readonly panels: (typeof held)[number][]; readonly reasons: Set<string> }[] = [];
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
  const cellOf = (
    { catalogue, panelId, panel, name, rating, signedOff, since }: (typeof held)[number],
    first: (typeof held)[number],
  ): Html => {
    const isSameName = nameKey(panel.panelName) === nameKey(first.panel.panelName);
    const other = isSameName
      ? ''
      : html`<a href="${panelAddress(catalogue, panelId)}">${cleanLine(panel.panelName)}</a>: `;
    const date = since ? `${since.isExact ? 'since' : 'since at the latest'} ${day(since.at)}, ` : '';
    const version = html`<a href="${versionAddress(catalogue, panelId, panel.version)}">${cleanLine(panel.version)}</a>`;
    return html`<p>${other}${ratingView(rating)} ${cleanLine(name)} <span class="fine">${date}version ${version}${signedOff ? html`, signed off in ${cleanLine(signedOff.version)}: ${ratingView(signedOff.status)}` : ''}</span></p>`;
  };
  /** What a catalogue says whose panels do not hold it: nothing is left empty, since an empty cell says neither. */
  const absentOf = ({ catalogue, read, listed }: CatalogueHoldings, first: (typeof held)[number]): Html => {
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
export function sentenceOf({ holdings, read: states, listed }: CatalogueHoldings): string {
  const [holding, read] = [holdings.length, states.length];
  if (read === 0) return 'Which panels hold it is unknown: no state of a panel has been read yet.';
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

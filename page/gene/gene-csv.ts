import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { versionCell } from '../../lambdas/words/change-csv.ts';
import { byteOrderMark, csvLine } from '../../lambdas/words/csv.ts';
import { ratingWord } from '../../lambdas/words/phrase.ts';
import { type CatalogueHoldings, heldOn, sentenceOf } from './gene-view.ts';

const columns = ['catalogue', 'panel id', 'panel', 'R codes', 'rating', 'name there', 'HGNC id', 'version'];

/** The panels that hold a gene, STR or region, a line each, and for each catalogue of how many panels that is. */
export function geneCsv(catalogues: readonly CatalogueHoldings[]): string {
  const lines = catalogues.flatMap((each) => [
    ...heldOn(each).map(({ panelId, panel, rating, name, hgncId }) =>
      csvLine([
        each.catalogue,
        panelId,
        panel.panelName,
        rCodesIn(panel.relevantDisorders ?? []).join('; '),
        ratingWord(rating),
        name,
        hgncId,
        versionCell(panel.version),
      ]),
    ),
    csvLine([each.catalogue, null, sentenceOf(each)]),
  ]);
  return byteOrderMark + csvLine(columns) + lines.join('');
}

import { rCodesIn } from '../../lambdas/events/r-codes.ts';
import { formatInstant } from '../../lambdas/run/instant.ts';
import { statusWord, versionCell } from '../../lambdas/words/change-csv.ts';
import { byteOrderMark, csvLine } from '../../lambdas/words/csv.ts';
import { ratingWord } from '../../lambdas/words/phrase.ts';
import { type CatalogueHoldings, heldOn, sentenceOf } from './gene-view.ts';

const columns = [
  'catalogue',
  'panel id',
  'panel',
  'R codes',
  'rating',
  'name there',
  'HGNC id',
  'version',
  'signed-off version',
  'signed-off rating',
  'since',
  'since is exact',
];

/** The panels that hold a gene, STR or region, a line each, and for each catalogue of how many panels that is. */
export function geneCsv(catalogues: readonly CatalogueHoldings[]): string {
  const lines = catalogues.flatMap((each) => [
    ...heldOn(each).map(({ panelId, panel, rating, name, hgncId, signedOff, since }) =>
      csvLine([
        each.catalogue,
        panelId,
        panel.panelName,
        rCodesIn(panel.relevantDisorders ?? []).join('; '),
        ratingWord(rating),
        name,
        hgncId,
        versionCell(panel.version),
        signedOff && versionCell(signedOff.version),
        signedOff && statusWord(signedOff.status),
        since && formatInstant(since.at),
        since && (since.isExact ? 'yes' : 'no'),
      ]),
    ),
    csvLine([each.catalogue, null, sentenceOf(each)]),
  ]);
  return byteOrderMark + csvLine(columns) + lines.join('');
}

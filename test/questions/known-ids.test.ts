import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { readReport } from '../../lambdas/questions/report.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { breast, turnedGreen } from '../words/events.ts';

const end = BigInt(Date.parse('2026-11-22T00:00:00Z')) * 1000n;

/** An event of another panel that states the id of its gene. */
function stating(gene: string, hgncId: string, catalogue = 'uk'): PanelEvent {
  const event = turnedGreen({ gene, panel: { ...breast, id: 9, name: 'Another panel' } });
  return { ...event, data: { ...event.data, catalogue, entity: { type: 'gene', name: gene, hgncId } } };
}

test('a report has the HGNC id that another event of the catalogue states, and none where two are known', async () => {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const place = namedPlaceOf(file);
  const period = { since: 0n, until: end };
  const uk = [
    stating('PALB2', 'HGNC:26144'),
    stating('OLD1', 'HGNC:1'),
    stating('OLD1', 'HGNC:2'),
    ...['PALB2', 'OLD1', 'ABROAD1'].map((gene) => turnedGreen({ gene })),
  ];
  await place.history.append(
    uk.map((event) => toMessage(event)),
    { catalogue: 'uk', ...period },
  );
  // The names are read while the file has one catalogue, and again once it has a second one.
  await place.history.names();
  const abroad = [stating('ABROAD1', 'HGNC:3', 'australia')];
  await place.history.append(
    abroad.map((event) => toMessage(event)),
    { catalogue: 'australia', ...period },
  );
  const filter = { panels: [breast.name] };
  const { changes } = await readReport(place, { catalogue: 'uk', filter }, end);
  const all = changes.panels.flatMap(({ lists }) => Object.values(lists).flat());
  const idOf = (gene: string) => all.find(({ entity }) => entity.name === gene)?.entity.hgncId;
  expect(['PALB2', 'OLD1', 'ABROAD1'].map(idOf)).toStrictEqual(['HGNC:26144', undefined, undefined]);
});

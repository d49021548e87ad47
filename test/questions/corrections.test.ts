import { expect, onTestFinished, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { readReport } from '../../lambdas/questions/report.ts';
import { namedPlaceOf } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { correctionOf, rated } from '../words/events.ts';

test('a report has a correction in place of what it corrects', async () => {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const place = namedPlaceOf(file);
  const period = { since: 0n, until: BigInt(Date.parse('2026-11-22T00:00:00Z')) * 1000n };
  const lists = async () => {
    const { changes } = await readReport(place, { catalogue: 'uk' }, period.until);
    return Object.entries(changes.panels[0]?.lists ?? {}).flatMap(([list, own]) =>
      own.map(({ entity, from, to }) => [list, entity.name, from, to]),
    );
  };
  const stated = rated('red', 'amber', 'upgraded');
  await place.history.append([toMessage(stated)], { catalogue: 'uk', ...period });
  expect(await lists()).toEqual([['other change of rating', 'BRCA1', 'red', 'amber']]);
  const correction = correctionOf(
    stated,
    { from: 'green', to: 'amber', direction: 'downgraded' },
    'c'.repeat(32),
  );
  await place.history.append([toMessage(correction)], { catalogue: 'uk', ...period });
  expect(await lists()).toEqual([['no longer green', 'BRCA1', 'green', 'amber']]);
});

import { test } from 'vitest';
import { simulateKnowledge } from './knowledge-simulation.ts';
test('try', async () => {
  const [from, to] = (process.env.RANGE ?? '1-40').split('-').map(Number);
  let bad = 0;
  const sum = { crashes: 0, heldOpen: 0, silent: 0 };
  for (let seed = from ?? 1; seed <= (to ?? 40); seed += 1) {
    const run = await simulateKnowledge(seed, Number(process.env.CRASH ?? 0.01));
    sum.crashes += run.crashes; sum.heldOpen += run.heldOpen; sum.silent += run.silent;
    const all = [...run.repeated.map(x=>'REP '+x), ...run.wrongStarts.map(x=>'FROM '+x), ...run.unknown.map(x=>'UNK '+x), ...run.contradictions];
    if (all.length) { bad++; console.log(seed, all.slice(0,6).join('\n    ')); }
  }
  console.log('bad', bad, sum);
}, 3000000);

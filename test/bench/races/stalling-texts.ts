import { classify } from '../../../lambdas/classifier/classify.ts';
import { adversarial } from '../../classifier/adversarial.ts';
import type { Figure, Race } from '../figure.ts';

const MEGABYTE = 1_000_000;
const ROUNDS = 5;
/** Linear time doubles with the text; what seems to take more is measured again, because others use the processor too. */
const [SUSPECT, TRIES] = [2.3, 4];

interface Cost {
  readonly name: string;
  /** For what half of the text costs: 2 where time is linear. */
  readonly scaling: number;
  /** For what JSON.parse of the row costs. */
  readonly parsing: number;
}

/** What 1 MB of each text costs that is built to stall the classifier; those that cost nothing left out. */
export const stallingTexts: Race = {
  name: 'stalling-texts',
  title: 'Texts of 1 MB built to stall the classifier (CPU)',
  run: async () => {
    const costs = adversarial.flatMap(({ name, row }): Cost[] => {
      const times = Math.ceil(MEGABYTE / (row(1000).text.length / 1000));
      const [half, whole] = [row(times >> 1), row(times)];
      const json = JSON.stringify(whole);
      const measured = (): Cost => {
        const more = cpuOf(() => classify(whole));
        return {
          name,
          scaling: more / cpuOf(() => classify(half)),
          parsing: more / cpuOf(() => JSON.parse(json)),
        };
      };
      if (cpuOf(() => classify(half)) < 1000) return [];
      let cost = measured();
      for (let tries = 1; cost.scaling > SUSPECT && tries < TRIES; tries++) cost = measured();
      return [cost];
    });
    return {
      figures: [
        ...inMiddleAndWorst(costs, 'scaling', { unit: '×', baseline: 'half of the text', goal: 2.5 }),
        ...inMiddleAndWorst(costs, 'parsing', { unit: '×', baseline: 'JSON.parse of the row' }),
      ],
    };
  },
};

function inMiddleAndWorst(
  costs: readonly Cost[],
  what: 'scaling' | 'parsing',
  shown: Omit<Figure, 'name' | 'value'>,
): Figure[] {
  const sorted = costs.toSorted((one, other) => one[what] - other[what]);
  const [middle, worst] = [sorted[sorted.length >> 1], sorted.at(-1)];
  if (!middle || !worst) return [];
  return [
    { name: 'in the middle', value: middle[what], ...shown },
    { name: 'at worst', detail: worst.name, value: worst[what], ...shown },
  ];
}

/** The least CPU time of several rounds, in microseconds. */
function cpuOf(work: () => unknown): number {
  work();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.max(1, Math.min(...rounds));
}

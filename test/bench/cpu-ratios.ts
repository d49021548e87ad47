const ROUNDS = 15;
/** So many rounds go before them, until Node has compiled the code: its compiler counts as CPU time too. */
const WARM_ROUNDS = 10;

/** CPU time of each work for the CPU time of the first, by the median over rounds that take turns. */
export function cpuRatios(works: readonly (() => unknown)[], repeats: number): number[] {
  const times = works.map((): number[] => []);
  for (const work of works) for (let index = 0; index < WARM_ROUNDS * repeats; index++) work();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const before = process.cpuUsage();
      for (let repeat = 0; repeat < repeats; repeat++) work();
      const { user, system } = process.cpuUsage(before);
      times[index]?.push(user + system);
    }
  }
  const medians = times.map(median);
  return medians.map((each) => each / (medians[0] ?? Number.NaN));
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

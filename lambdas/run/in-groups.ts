/**
 * The results of work on each of some things, of which so many are worked on at the same time.
 * @throws the first error; what is left then is not begun
 */
export async function inGroups<Thing, Result>(
  size: number,
  things: readonly Thing[],
  work: (thing: Thing) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < things.length; start += size)
    results.push(...(await Promise.all(things.slice(start, start + size).map(work))));
  return results;
}

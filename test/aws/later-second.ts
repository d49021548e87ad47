/**
 * Waits for a later second of a catalogue, which states its time in whole seconds: what begins later in the second of a list is not
 * part of it.
 */
export async function laterSecond(catalogue: string): Promise<void> {
  const timeThere = async (): Promise<string | null> =>
    (await fetch(new URL('/api/v1/panels/', catalogue))).headers.get('date');
  const now = await timeThere();
  while ((await timeThere()) === now);
}

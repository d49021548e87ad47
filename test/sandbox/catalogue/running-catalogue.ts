import { onTestFinished } from 'vitest';
import {
  type CatalogueOptions,
  type RunningCatalogue,
  startCatalogue,
} from '../../../sandbox/catalogue/start.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';

export interface Page {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Record<string, unknown>[];
}

/** A catalogue on a clock that stands still, closed after the test. */
export async function aCatalogue(
  options: Partial<CatalogueOptions> = {},
): Promise<RunningCatalogue & { readonly clock: TestClock }> {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
  const catalogue = await startCatalogue({ clock, ...options });
  onTestFinished(() => catalogue.close());
  return Object.assign(catalogue, { clock });
}

/** So many rows, the newest first; a second apart where nothing else is said. */
export function someRows(
  count: number,
  created = (index: number): number => index,
): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({
    created: new Date(Date.UTC(2026, 0, 31) - created(index) * 1000)
      .toISOString()
      .replace('.000Z', '.000001Z'),
    panel_name: 'Hearing loss',
    panel_id: 1 + (index % 2),
    panel_version: '1.0',
    user_name: 'Ana',
    item_type: 'entity',
    text: `commented on gene: G${index}`,
    entity_name: `G${index}`,
    entity_type: 'gene',
  }));
}

export async function pageOf(address: string): Promise<Page> {
  const response = await fetch(address);
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
  return (await response.json()) as Page;
}

export async function namesOn(address: string): Promise<readonly unknown[]> {
  return (await pageOf(address)).results.map(({ entity_name }) => entity_name);
}

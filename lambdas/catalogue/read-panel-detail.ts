import { type PanelDetail, panelDetailSchema } from './detail-schemas.ts';
import { expectSuccess } from './http/expect-success.ts';
import { readJson } from './http/json.ts';
import { problemOf } from './http/problem.ts';
import type { HttpResponse } from './http/response.ts';

interface AskedFor {
  readonly id: number | string;
  readonly version: string | undefined;
}

/**
 * Reads a response as a panel with its entities; null where the catalogue has no such panel or version.
 *
 * @throws {ServiceError} `…_ITEMS_WRONG` where it is another panel or version, or a part cannot be read: a state is
 *   whole or unknown; and as `expectSuccess` and `readJson` do
 */
export function readPanelDetail(response: HttpResponse, { id, version }: AskedFor): PanelDetail | null {
  const { status, fail } = response;
  if (status === 404 || (status === 500 && version !== undefined)) return null;
  expectSuccess(response);
  const value = readJson(response);
  const read = panelDetailSchema.safeParse(value);
  if (!read.success) throw fail('ITEMS_WRONG', `the panel cannot be read: ${problemOf(value, read.error)}`);
  const { data: panel } = read;
  if (typeof id === 'number' && panel.id !== id) {
    throw fail('ITEMS_WRONG', `panel ${panel.id} was served; expected panel ${id}`);
  }
  if (version !== undefined && panel.version !== version) {
    throw fail('ITEMS_WRONG', `version ${panel.version} was served; expected version ${version}`);
  }
  return panel;
}

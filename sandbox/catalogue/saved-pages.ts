import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type Activity,
  activitySchema,
  type Panel,
  panelSchema,
  type Region,
  regionSchema,
} from '../../lambdas/catalogue/schemas.ts';
import { parseCreated } from '../software/created.ts';

/** The lists of a catalogue, read from saved pages. */
interface SavedPages {
  readonly activities: readonly Activity[];
  readonly panels: readonly Panel[];
  readonly regions: readonly Region[];
}

/** A directory or file that cannot be served. */
class SavedPagesError extends Error {
  override readonly name = 'SavedPagesError';
  readonly code = 'SAVED_PAGES_UNUSABLE';
}

/**
 * Reads response bodies of a catalogue that were saved as `activities-page-001.json`, `panels-page-001.json`,
 * `regions-page-001.json` and so on.
 *
 * @throws {SavedPagesError} when a page is missing or invalid
 */
export async function readSavedPages(directory: string): Promise<SavedPages> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw failure(directory, `it cannot be read as a directory (${reason(cause)})`, cause);
  });
  const read = async <T>(list: string, item: z.ZodType<T>): Promise<readonly T[]> => {
    const pages = await Promise.all(pageFiles(directory, names, list).map((file) => readPage(file, item)));
    return pages.flat();
  };
  return {
    activities: await read('activities', timedActivity),
    panels: await read('panels', panelSchema),
    regions: await read('regions', regionSchema),
  };
}

const timedActivity = activitySchema.refine(({ created }) => parseCreated(created) !== undefined, {
  path: ['created'],
  message: 'Invalid input: expected a time such as 2023-11-17T15:57:41.863439Z',
});

function failure(file: string, seen: string, cause?: unknown): SavedPagesError {
  return new SavedPagesError(
    `Reading the saved pages of ${file}: ${seen}. Expected response bodies of the catalogue, saved as ` +
      'activities-page-001.json, panels-page-001.json, regions-page-001.json and so on.',
    { cause },
  );
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** The files of a list in the order of their numbers, without a gap. */
function pageFiles(directory: string, names: readonly string[], list: string): readonly string[] {
  const pages = names
    .flatMap((name) => {
      const [, of, number] = /^(.+)-page-(\d+)\.json$/.exec(name) ?? [];
      return of === list ? [{ name, number: Number(number) }] : [];
    })
    .toSorted((one, other) => one.number - other.number);
  if (pages.length === 0) throw failure(directory, `${list}-page-001.json is missing`);
  const gap = pages.findIndex(({ number }, index) => number !== index + 1);
  if (gap >= 0) throw failure(directory, `page ${gap + 1} of its ${list} is missing`);
  return pages.map(({ name }) => join(directory, name));
}

async function readPage<T>(file: string, item: z.ZodType<T>): Promise<readonly T[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw failure(file, `it cannot be read (${reason(cause)})`, cause);
  });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw failure(file, `it is not JSON (${reason(cause)})`, cause);
  }
  const page = z.looseObject({ results: z.array(item) }).safeParse(body);
  // The items as saved: those that the schema gives have their fields in another order.
  if (page.success) return (body as { readonly results: readonly T[] }).results;
  const [issue] = page.error.issues;
  throw failure(file, `at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`, page.error);
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import {
  type Activity,
  activitySchema,
  type Panel,
  panelSchema,
  type Region,
  regionSchema,
} from '../../lambdas/catalogue/schemas.ts';
import { parseCreated } from '../software/values.ts';
import type { PanelDetails, SignedOffVersion } from './content.ts';

interface SavedPages {
  readonly activities: readonly Activity[];
  readonly panels: readonly Panel[];
  readonly regions: readonly Region[];
  /** Absent where the directory holds the lists alone. */
  readonly details?: SavedDetails;
}

class SavedPagesError extends Error {
  override readonly name = 'SavedPagesError';
  readonly code = 'SAVED_PAGES_UNUSABLE';
}

/**
 * Reads response bodies of a catalogue that were saved as `activities-page-001.json`, `panels-page-001.json`,
 * `regions-page-001.json` and so on; or, with what each version of each panel held, as `activities.json.gz` and so on.
 *
 * @throws {SavedPagesError} when a page is missing or invalid
 */
export async function readSavedPages(directory: string): Promise<SavedPages> {
  const names = await readdir(directory).catch((cause: unknown) => {
    throw failure(directory, reason(cause), cause);
  });
  if (names.includes('activities.json.gz')) return readWholeLists(directory);
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

async function readWholeLists(directory: string): Promise<SavedPages> {
  const read = <T>(name: string, schema: z.ZodType<T>): Promise<T> =>
    readFileOf(join(directory, `${name}.json.gz`), schema);
  const states = z.record(z.string(), z.looseObject({}));
  return {
    activities: await read('activities', z.array(timedActivity)),
    panels: await read('panels', z.array(panelSchema)),
    regions: await read('regions', z.array(regionSchema)),
    details: {
      current: await read('current', states),
      versions: await read('versions', states),
      signedOff: await read(
        'signedoff',
        z.array(z.looseObject({ id: z.int(), version: z.string(), signed_off: z.string() })),
      ),
    },
  };
}

/** Reads a file of JSON as it was saved, packed or not. */
async function readFileOf<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  const packed = await readFile(file).catch((cause: unknown) => {
    throw failure(file, reason(cause), cause);
  });
  const isPacked = file.endsWith('.gz');
  let body: unknown;
  try {
    body = JSON.parse((isPacked ? gunzipSync(packed) : packed).toString());
  } catch (cause) {
    throw failure(
      file,
      isPacked ? `it is not gzipped JSON (${reason(cause)})` : `it is not JSON (${reason(cause)})`,
      cause,
    );
  }
  return checked(file, schema, body);
}

/** The body as saved: the one that the schema gives has its fields in another order. */
function checked<T>(file: string, schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return body as T;
  const [issue] = parsed.error.issues;
  throw failure(file, `at ${issue?.path.join('.') || 'the top'}: ${issue?.message}`, parsed.error);
}

function failure(file: string, seen: string, cause?: unknown): SavedPagesError {
  return new SavedPagesError(
    `Reading the saved pages of ${file}: ${seen}. Expected response bodies of the catalogue, saved as ` +
      'activities-page-001.json, panels-page-001.json, regions-page-001.json and so on. ' +
      'Give the directory that holds them (--from DIR), or none for a made-up catalogue.',
    { cause },
  );
}

function reason(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return (code && reasons[code]) ?? message;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is no directory',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
};

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

const readPage = async <T>(file: string, item: z.ZodType<T>): Promise<readonly T[]> =>
  (await readFileOf(file, z.looseObject({ results: z.array(item) }))).results;

/** Responses of the detail endpoints as they were saved. */
export interface SavedDetails {
  /** By the number of the panel. */
  readonly current: Readonly<Record<string, object>>;
  /** By `<number>@<version>`. */
  readonly versions: Readonly<Record<string, object>>;
  readonly signedOff: readonly SavedSignOff[];
}

/** An entry of `/panels/signedoff/`. */
interface SavedSignOff {
  readonly id: number;
  readonly version: string;
  readonly signed_off: string;
}

/** The panels of saved pages, also of those that are added to the records later. */
export function savedDetails({ current, versions, signedOff }: SavedDetails): PanelDetails {
  const idOfHash = (hash: string): string | undefined =>
    Object.entries(current).find(([, panel]) => 'hash_id' in panel && panel.hash_id === hash)?.[0];
  const isKept = (id: string): boolean =>
    id in current || Object.keys(versions).some((key) => key.startsWith(`${id}@`));
  const atVersion = (id: number, version: string): object | undefined => {
    const present = current[id];
    const isPresent = present && 'version' in present && present.version === version;
    return versions[`${id}@${version}`] ?? (isPresent ? present : undefined);
  };
  return {
    panelId(key) {
      const id = idOfHash(key) ?? key;
      return isKept(id) ? Number(id) : null;
    },
    present: (id) => current[id],
    version: atVersion,
    // Reviews are in no saved page.
    reviewers: () => undefined,
    signOffs: () =>
      signedOff.map((entry): SignedOffVersion => {
        const { signed_off: day, ...listed } = entry;
        return { panelId: entry.id, day, panel: { ...atVersion(entry.id, entry.version), ...listed } };
      }),
  };
}

import type { Clock } from '../run/clock.ts';
import type { Log } from '../run/log.ts';
import {
  type Access,
  CatalogueError,
  catalogueErrors,
  catalogueUrl,
  defaultLimits,
  type Limits,
} from './http/access.ts';
import type { Traffic } from './http/attempt.ts';
import { createHttp } from './http/http.ts';
import { type Listed, type Listing, type ReadPages, readListing } from './http/listing.ts';
import { expectSuccess, type HttpResponse, type ListPage, readJson, readPage } from './http/response.ts';
import { problemOf } from './http/service-error.ts';
import {
  type Panel,
  type PanelDetail,
  panelDetailSchema,
  panelSchema,
  type Region,
  regionSchema,
  type SignedOffPanel,
  signedOffPanelSchema,
} from './schemas.ts';

/** A page of `/activities/`, newest rows first. */
export interface ActivityPage {
  readonly page: number;
  /** As received: check each with `readActivity`. */
  readonly rows: readonly unknown[];
  /** Rows on all pages together; null where the server's value is unusable, which is logged. */
  readonly count: number | null;
  /** Whether the server announces a next page. */
  readonly hasNext: boolean;
  /** The `Date` header, in milliseconds since the epoch. */
  readonly serverTime: number | null;
}

/**
 * A client of one gene panel catalogue. It sends one request at a time.
 *
 * @throws {CatalogueError} from every method; errors of the access pass through unchanged
 */
export interface Catalogue {
  /** The `/api/v1/` URL, with a slash at its end: of the catalogue itself, where a relay is read. */
  readonly url: string;
  /** Reads a page of the log, from 1. Returns null past the end; a missing first page is `CATALOGUE_NOT_FOUND`. */
  activities(page: number): Promise<ActivityPage | null>;
  /** Reads all panels, each once. Invalid ones are logged and left out; a page with invalid ones only is an error. */
  panels(): Promise<readonly Panel[]>;
  regions(): Promise<readonly Region[]>;
  /** Reads all panels, and states whether the list is complete. */
  listPanels(reading?: ListReading): Promise<Listed<Panel>>;
  /** Reads all regions, and states whether the list is complete. */
  listRegions(reading?: ListReading): Promise<Listed<Region>>;
  /**
   * Reads one panel with its entities: as it is now, or as a version was at its end. Returns null where the catalogue
   * has no such panel or version.
   * @param received called with the answer, byte by byte, where it is that panel
   */
  panelDetail(
    id: number | string,
    version?: string,
    received?: (body: Uint8Array) => void,
  ): Promise<PanelDetail | null>;
  /** Reads the rows of one panel, in the order of the log: check each with `readActivity`. Returns null for a panel that is not public. */
  panelRows(id: number): Promise<readonly unknown[] | null>;
  /** Reads the versions that are signed off; a panel is there several times where the catalogue keeps earlier ones. */
  signedOff(): Promise<Listed<SignedOffPanel>>;
  readonly traffic: Traffic;
  close(): Promise<void>;
}

/** The reading of a list that may be interrupted, and go on later. */
export interface ListReading {
  /** Pages that were read already; each page that is read is added. */
  readonly pagesRead: ReadPages;
  /** Called before each request for a page. It may throw, which ends the reading. */
  readonly beforeRequest: () => void;
}

export interface CatalogueOptions {
  /** With or without `/api/v1` at its end; see `catalogueUrl`. */
  readonly baseUrl: string;
  /** The address of the catalogue that a relay at the base address serves. */
  readonly original?: string | undefined;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch; no request and no wait goes beyond it. */
  readonly deadline?: number;
  /** When aborted, the exchange under way ends at once and fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Requests the browsable rendering. Source: docs/interfaces.md, "Query parameters". */
  readonly format?: 'api';
  readonly userAgent?: string;
  readonly limits?: Partial<Limits>;
}

/**
 * The largest page of a list. A page of 100 rows with comments of 65 kB has 7 MB; several pages are in memory together, some
 * with two bytes a letter, and a function has 512 MB.
 */
const PAGE_BYTES = 16 * 1024 * 1024;

/** With it, a relay names the `/api/v1/` URL of the catalogue that it serves. */
export const ORIGINAL_HEADER = 'relay-original';

type ListName = 'activities' | 'panels' | 'regions' | 'panels/signedoff';

const panelList = { schema: panelSchema, identify: ({ id }: Panel) => String(id) };
const regionList = {
  schema: regionSchema,
  identify: ({ panel, entity_name }: Region) => `${panel.id}/${entity_name}`,
};
const signedOffList = {
  schema: signedOffPanelSchema,
  identify: ({ id, version, signed_off }: SignedOffPanel) => `${id}/${version}/${signed_off}`,
  // A version that is signed off twice on one day.
  repeats: true,
};

/**
 * Creates a client of one catalogue. Page addresses are built from the base address; the address in `next` is never
 * used.
 *
 * @throws {CatalogueError} `CATALOGUE_ADDRESS_WRONG` when the base address is unusable
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { access, clock, log, deadline, signal, format, userAgent, limits } = options;
  const base = catalogueUrl(options.baseUrl, catalogueErrors);
  const { href: url } = options.original ? catalogueUrl(options.original, catalogueErrors) : base;
  const bounds = { deadline, signal, limits };
  const http = createHttp({ base, errors: catalogueErrors, access, clock, log, userAgent, ...bounds });
  let countWarned = false;
  const checkOriginal = originalCheck(url, { isSet: options.original !== undefined, log });
  let last: Promise<unknown> = Promise.resolve();

  /** One exchange after the other, each with its retries: while the catalogue asks to wait, nothing else is asked for. */
  const send: typeof http.send = (exchange, read) => {
    const checked: typeof read = (response) => {
      checkOriginal(response);
      return read(response);
    };
    const sent = last.then(() => http.send(exchange, checked));
    const end = (): void => {};
    last = sent.then(end, end);
    return sent;
  };

  async function readList(list: ListName, number: number): Promise<ListPage | null> {
    const query = { ...(format && { format }), ...(number > 1 && { page: String(number) }) };
    const page = await send({ path: `${list}/`, query, mostBytes: PAGE_BYTES }, (response) =>
      response.status === 404 && number > 1 ? null : readPage(response),
    );
    if (page?.count === null && !countWarned) {
      countWarned = true;
      log.warn('The count of a list is unusable, so its completeness cannot be checked', {
        list,
        page: number,
      });
    }
    return page;
  }

  function readAll<Item>(
    list: ListName,
    item: Pick<Listing<Item>, 'schema' | 'identify'>,
    reading?: ListReading,
  ) {
    const action = `Listing the ${list} of the catalogue at ${base.href}`;
    return readListing({
      ...item,
      name: list,
      readPage: (number) => {
        reading?.beforeRequest();
        return readList(list, number);
      },
      pagesRead: reading?.pagesRead,
      pages: limits?.pages ?? defaultLimits.pages,
      log,
      fail: (condition, seen) => new CatalogueError({ condition, action, seen }),
    });
  }

  const listPanels: Catalogue['listPanels'] = (reading) => readAll('panels', panelList, reading);
  const listRegions: Catalogue['listRegions'] = (reading) => readAll('regions', regionList, reading);

  return {
    url,
    traffic: http.traffic,
    close: http.close,
    async activities(number) {
      const page = await readList('activities', number);
      if (!page) return null;
      const { items: rows, count, hasNext, serverTime } = page;
      return { page: number, rows, count, hasNext, serverTime };
    },
    panels: async () => (await listPanels()).items,
    regions: async () => (await listRegions()).items,
    listPanels,
    listRegions,
    panelDetail: (id, version, received) =>
      send(
        {
          path: `panels/${encodeURIComponent(id)}/`,
          query: { ...(format && { format }), ...(version !== undefined && { version }) },
          // The catalogue crashes where it has no panel of this id and a version is asked for.
          ...(version !== undefined && { answers: [500] }),
        },
        (response) => {
          const panel = readPanelDetail(response, { id, version });
          if (panel) received?.(response.body);
          return panel;
        },
      ),
    panelRows: (id) =>
      send({ path: `panels/${id}/activities/` }, (response) => {
        if (response.status === 404) return null;
        expectSuccess(response);
        const rows = readJson(response);
        if (Array.isArray(rows)) return rows;
        throw response.fail('ITEMS_WRONG', 'the rows of the panel are not a list');
      }),
    signedOff: () => readAll('panels/signedoff', signedOffList),
  };
}

/** A relay names the catalogue that it serves: events have the ids that they have there, where the settings name it, too. */
function originalCheck(url: string, { isSet, log }: { readonly isSet: boolean; readonly log: Log }) {
  let isWarned = false;
  return ({ header, fail }: HttpResponse): void => {
    const named = header(ORIGINAL_HEADER);
    if (named === null || named === url) return;
    if (isSet) throw fail('ITEMS_WRONG', `the relay serves ${named.slice(0, 200)}; expected ${url}`);
    if (isWarned) return;
    isWarned = true;
    log.warn(
      'The catalogue is a relay of another one; events have the ids of that one where "original" names its address',
      { original: named.slice(0, 200) },
    );
  };
}

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
function readPanelDetail(response: HttpResponse, { id, version }: AskedFor): PanelDetail | null {
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

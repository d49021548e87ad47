import type { Clock } from '../clock/clock.ts';
import type { Access } from '../http/access.ts';
import type { Traffic } from '../http/attempt.ts';
import { createHttp } from '../http/http.ts';
import { defaultLimits, type Limits } from '../http/limits.ts';
import { type Listed, type Listing, readListing } from '../http/listing.ts';
import { type ListPage, readPage } from '../http/page.ts';
import type { Log } from '../log/log.ts';
import { catalogueUrl } from './address.ts';
import { CatalogueError, catalogueErrors } from './errors.ts';
import { type Panel, panelSchema, type Region, regionSchema } from './schemas.ts';

/** A page of `/activities/`, newest rows first. */
export interface ActivityPage {
  readonly page: number;
  /** As received: to be checked row by row, with `readActivity`. */
  readonly rows: readonly unknown[];
  /** Rows over all pages; null where what the server sent is unusable, which is warned about. */
  readonly count: number | null;
  /** Whether the server says that there is a further page. */
  readonly hasNext: boolean;
  /** The `Date` header, in milliseconds since the epoch. */
  readonly serverTime: number | null;
}

/** A gene panel catalogue. Everything fails with a `CatalogueError`, or with what its access throws. */
export interface Catalogue {
  /** The `/api/v1/` URL, with a slash at its end. */
  readonly url: string;
  /** A page of the log, from 1; null past the end. No log at all is an error (`CATALOGUE_NOT_FOUND`). */
  activities(page: number): Promise<ActivityPage | null>;
  /** All panels, each once. Bad ones are logged and left out; a page of nothing else fails. */
  panels(): Promise<readonly Panel[]>;
  /** All regions, each once for each panel that holds it; bad ones as with panels. */
  regions(): Promise<readonly Region[]>;
  /** The panels, and whether these are all there are. */
  listPanels(): Promise<Listed<Panel>>;
  /** The regions, and whether these are all there are. */
  listRegions(): Promise<Listed<Region>>;
  readonly traffic: Traffic;
  /** Closes all connections. */
  close(): Promise<void>;
}

export interface CatalogueOptions {
  /** With or without `/api/v1` at its end (see `catalogueUrl`). */
  readonly baseUrl: string;
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch; nothing is waited for beyond it. */
  readonly deadline?: number;
  /** Once aborted, what is under way ends at once and fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Asks for the browsable rendering (interface specification, "Query parameters"). */
  readonly format?: 'api';
  readonly userAgent?: string;
  readonly limits?: Partial<Limits>;
}

type ListName = 'activities' | 'panels' | 'regions';

/**
 * A client of one catalogue. The addresses of pages are built from the base address alone; a page's `next`
 * only says that there is more. Fails with `CATALOGUE_ADDRESS_WRONG` where the base address is unusable.
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { access, clock, log, deadline, signal, format, userAgent, limits } = options;
  const base = catalogueUrl(options.baseUrl, catalogueErrors);
  const bounds = { deadline, signal, limits };
  const http = createHttp({ base, errors: catalogueErrors, access, clock, log, userAgent, ...bounds });
  let warnedOfCount = false;

  async function readList(list: ListName, number: number): Promise<ListPage | null> {
    const query = { ...(format && { format }), ...(number > 1 && { page: String(number) }) };
    const page = await http.send({ path: `${list}/`, query }, (answer) =>
      answer.status === 404 && number > 1 ? null : readPage(answer),
    );
    if (page?.count === null && !warnedOfCount) {
      warnedOfCount = true;
      log.warn('The count of a list is unusable; completeness cannot be checked', { list, page: number });
    }
    return page;
  }

  function readAll<Item>(list: ListName, item: Pick<Listing<Item>, 'schema' | 'identify'>) {
    const action = `Listing the ${list} of the catalogue at ${base.href}`;
    return readListing({
      ...item,
      name: list,
      readPage: (number) => readList(list, number),
      pages: limits?.pages ?? defaultLimits.pages,
      log,
      fail: (condition, seen) => new CatalogueError({ condition, action, seen }),
    });
  }

  const listPanels = (): Promise<Listed<Panel>> =>
    readAll('panels', { schema: panelSchema, identify: ({ id }) => String(id) });
  const listRegions = (): Promise<Listed<Region>> =>
    readAll('regions', {
      schema: regionSchema,
      identify: ({ panel, entity_name }) => `${panel.id}/${entity_name}`,
    });

  return {
    url: base.href,
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
  };
}

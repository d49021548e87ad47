import { CatalogueError } from '../../lambdas/catalogue/address.ts';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { type Access, anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import type { ClockDifferences } from './finding.ts';
import { type Finding, failed } from './finding.ts';

interface CatalogueToCheck {
  readonly url: string;
  /** Null where no credentials were given. */
  readonly access: Access | null;
  readonly clock: Clock;
  readonly log: Log;
  /** The difference from the catalogue's clock is added here. */
  readonly clockDifferences: ClockDifferences;
}

/** The number of rows that the log states; null where it states none. */
type Rows = number | null;

/** Checks that the catalogue can be read, without and with credentials, and whether the credentials matter. */
export async function* checkCatalogue(given: CatalogueToCheck): AsyncGenerator<Finding> {
  const { url, access } = given;
  let open: Rows | 'refused';
  try {
    open = await countWithoutCredentials(given);
  } catch (error) {
    yield failed('catalogue', error);
    return;
  }
  if (open !== 'refused') yield reached(url, open);
  if (access) {
    try {
      const rows = await countRows(given, access);
      if (open === 'refused') yield reached(url, rows);
      yield compare(open, rows);
    } catch (error) {
      yield failed('catalogue access', error);
    }
  } else if (open === 'refused') {
    const text = `${url} requires credentials. Give CATALOGUE_AUTHORIZATION or an identity provider.`;
    yield { check: 'catalogue', outcome: 'failed', text };
  }
}

async function countRows(
  { url, clock, log, clockDifferences }: CatalogueToCheck,
  access: Access,
): Promise<Rows> {
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log });
  try {
    const page = await catalogue.activities(1);
    if (page?.serverTime != null) clockDifferences.set('the catalogue', clock.now() - page.serverTime);
    return page?.count ?? null;
  } finally {
    await catalogue.close();
  }
}

async function countWithoutCredentials(given: CatalogueToCheck): Promise<Rows | 'refused'> {
  try {
    return await countRows(given, anonymous);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    if (error.condition !== 'UNAUTHORIZED' && error.condition !== 'FORBIDDEN') throw error;
    return 'refused';
  }
}

function reached(url: string, rows: Rows): Finding {
  const log = rows === null ? 'its log does not state how many rows it has' : `its log has ${rows} rows`;
  return { check: 'catalogue', outcome: 'ok', text: `${url} responds; ${log}.` };
}

/** A catalogue that ignores credentials serves the public rows without a sign of it: only the counts differ. */
function compare(open: Rows | 'refused', rows: Rows): Finding {
  const check = 'catalogue access';
  if (open === 'refused') {
    return { check, outcome: 'ok', text: 'The log is readable with the credentials, and not without.' };
  }
  if (open === null || rows === null) {
    const text = 'The log states no counts, so it is unknown whether the credentials matter.';
    return { check, outcome: 'skipped', text };
  }
  if (rows > open) {
    const text = `The credentials show ${rows - open} rows that the public does not see.`;
    return { check, outcome: 'ok', text };
  }
  const text =
    rows < open
      ? `The credentials show ${open - rows} rows fewer than the public sees. Ask the operator what they are for.`
      : 'The credentials show what the public sees: they are ignored or unnecessary. Ask the operator, or leave them out.';
  return { check, outcome: 'warning', text };
}

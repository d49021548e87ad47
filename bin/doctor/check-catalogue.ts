import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { CatalogueError } from '../../lambdas/catalogue/errors.ts';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { type Access, anonymous } from '../../lambdas/http/access.ts';
import type { Log } from '../../lambdas/log/log.ts';
import { type Finding, failed, type Heard } from './finding.ts';

export interface CatalogueToCheck {
  readonly url: string;
  /** Null where no credential was given. */
  readonly access: Access | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly heard: Heard;
}

/** Rows that the log is said to have; null where it does not say. */
type Rows = number | null;

/** Reach of the catalogue, without and with credentials, and whether these make a difference. */
export async function* checkCatalogue(given: CatalogueToCheck): AsyncGenerator<Finding> {
  const { url, access } = given;
  let open: Rows | 'refused';
  try {
    open = await countOpenly(given);
  } catch (error) {
    yield failed('catalogue', error);
    return;
  }
  if (open !== 'refused') yield reached(url, open);
  if (access) {
    try {
      const rows = await count(given, access);
      if (open === 'refused') yield reached(url, rows);
      yield difference(open, rows);
    } catch (error) {
      yield failed('catalogue access', error);
    }
  } else if (open === 'refused') {
    const says = `${url} answers only to those it knows. Give CATALOGUE_AUTHORIZATION or an identity provider.`;
    yield { check: 'catalogue', outcome: 'failed', says };
  }
}

async function count({ url, clock, log, heard }: CatalogueToCheck, access: Access): Promise<Rows> {
  const catalogue = createCatalogue({ baseUrl: url, access, clock, log });
  try {
    const page = await catalogue.activities(1);
    if (page?.serverTime != null) heard.skews.set('the catalogue', clock.now() - page.serverTime);
    return page?.count ?? null;
  } finally {
    await catalogue.close();
  }
}

async function countOpenly(given: CatalogueToCheck): Promise<Rows | 'refused'> {
  try {
    return await count(given, anonymous);
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error;
    if (error.condition !== 'UNAUTHORIZED' && error.condition !== 'FORBIDDEN') throw error;
    return 'refused';
  }
}

function reached(url: string, rows: Rows): Finding {
  const log = rows === null ? 'its log does not say how many rows it has' : `its log has ${rows} rows`;
  return { check: 'catalogue', outcome: 'ok', says: `${url} answers; ${log}.` };
}

/** A catalogue that ignores a credential serves what everybody sees, with nothing to tell so. */
function difference(open: Rows | 'refused', rows: Rows): Finding {
  const check = 'catalogue access';
  if (open === 'refused')
    return { check, outcome: 'ok', says: 'It answers with the credentials, and not without.' };
  if (open === null || rows === null) {
    return {
      check,
      outcome: 'skipped',
      says: 'Without counts it cannot be told whether the credentials matter.',
    };
  }
  if (rows > open) {
    return {
      check,
      outcome: 'ok',
      says: `The credentials show ${rows - open} rows more than anybody sees.`,
    };
  }
  const says =
    rows < open
      ? `With the credentials it shows ${open - rows} rows less than without. Ask its operator what they are for.`
      : 'The credentials show no more than anybody sees: they are ignored, or not needed. Ask its operator, or leave them out.';
  return { check, outcome: 'warning', says };
}

import { serviceUrl } from './http/address.ts';
import { type ServiceErrors, serviceError } from './http/service-error.ts';

/**
 * The catalogue's `/api/v1/` URL. The base address may be given with or without `/api/v1`, and with or without a slash
 * at its end: `https://panels.example.org`, `https://panels.example.org/api/v1/` and, behind a proxy,
 * `https://proxy.example.org/panels`. Source: docs/interfaces.md, "The catalogue".
 *
 * @throws {ServiceError} `…_ADDRESS_WRONG` as `serviceUrl`, and for an address below `/api/v1/`
 */
export function catalogueUrl(baseUrl: string, errors: ServiceErrors): URL {
  const url = serviceUrl(baseUrl, errors);
  if (/\/api\/v1\/./.test(url.pathname)) {
    throw new errors.error({
      condition: 'ADDRESS_WRONG',
      action: `Reading the address of ${errors.service}`,
      seen: `${url.href} leads to something below /api/v1/; expected the address up to there`,
    });
  }
  if (!url.pathname.endsWith('/api/v1/')) url.pathname += 'api/v1/';
  return url;
}

/**
 * The catalogue could not be read. No part of a failed response was passed on. `CATALOGUE_NOT_BEFORE` carries `notBefore`, which the
 * next run must keep.
 */
export class CatalogueError extends serviceError('CatalogueError', 'CATALOGUE') {}

export const catalogueErrors: ServiceErrors = { service: 'the catalogue', error: CatalogueError };

import type { Hono } from 'hono';
import { AddressError } from '../address-error.ts';
import type { RouteContext } from '../route-context.ts';
import { isNamedFilter, namedFilters } from './page-names.ts';

const MOST_CHOICES = 12;
const LONGEST_PART = 200;

/** The names that contain what a person typed, as JSON for the fields of the page. */
export function addNamesRoutes(app: Hono, { names }: RouteContext): void {
  app.get('/names', async ({ req, json }) => {
    const [of = '', part = ''] = [req.query('of'), req.query('part')];
    if (!isNamedFilter(of)) {
      throw new AddressError(
        `“of” is ${JSON.stringify(of.slice(0, 80))}; expected ${namedFilters.join(', ')}.`,
      );
    }
    if (part.trim() === '' || part.length > LONGEST_PART) return json([]);
    return json((await names()).containing(of, part.trim(), MOST_CHOICES), 200, {
      'cache-control': 'no-store',
    });
  });
}

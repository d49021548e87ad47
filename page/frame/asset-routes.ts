import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { ratingColours } from '../../lambdas/words/rating-colours.ts';
import { readScripts, readStyle } from '../page-files.ts';
import type { RouteContext } from '../route-context.ts';
import { ratingVariables } from './rating-variables.ts';

/** Serves the style sheet, the script and the icon of the page; a browser that has one of them is answered 304. */
export function addAssetRoutes(app: Hono, { browserFiles }: Pick<RouteContext, 'browserFiles'>): void {
  const assets = [
    ['/page.css', ratingVariables() + readStyle(browserFiles), 'text/css; charset=utf-8'],
    ...[...readScripts(browserFiles)].map(
      ([name, text]) => [`/browser/${name}`, text, 'text/javascript; charset=utf-8'] as const,
    ),
    ['/icon.svg', pageIcon, 'image/svg+xml'],
  ] as const;
  for (const [path, body, type] of assets) {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    app.get(path, ({ req }) =>
      req.header('if-none-match') === etag
        ? new Response(null, { status: 304, headers: { etag } })
        : new Response(body, { headers: { 'content-type': type, etag, 'cache-control': 'no-cache' } }),
    );
  }
}

const { text, ground } = ratingColours.light.green;

/** The icon of the page: lines of a list on green. */
const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Gene panel changes</title><rect width="32" height="32" rx="7" fill="${text}"/><path d="M8 9h9M8 16h16M8 23h12" stroke="${ground}" stroke-width="4" stroke-linecap="round"/></svg>`;

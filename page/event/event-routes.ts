import type { Hono } from 'hono';
import type { RouteContext } from '../route-context.ts';
import { mailResponse } from './mail-response.ts';
import { readOpenEvent } from './read-open-event.ts';

/** One event as it was published, and the mail about it. */
export function addEventRoutes(app: Hono, context: RouteContext): void {
  app.get('/event/:id/:form', async ({ req, notFound }) => {
    const open = await readOpenEvent(context, req.param('id'));
    if (!open) return notFound();
    if (req.param('form') === 'json') {
      return new Response(open.body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
    }
    if (req.param('form') === 'mail') return mailResponse(open.notice);
    return notFound();
  });
}

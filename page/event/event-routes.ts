import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { mailHtml } from '../../lambdas/words/mail-html.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import type { RouteContext } from '../route-context.ts';
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

/** The mail as a page of its own, which a frame shows: its one style sheet is allowed by its digest. */
function mailResponse(notice: Notice): Response {
  const body = mailHtml(notice);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  return new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups`,
    },
  });
}

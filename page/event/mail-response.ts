import { createHash } from 'node:crypto';
import { mailHtml } from '../../lambdas/words/mail-html.ts';
import type { Notice } from '../../lambdas/words/notice.ts';

/** The mail as a page of its own, which a frame shows: its one style sheet is allowed by its digest. */
export function mailResponse(notice: Notice): Response {
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

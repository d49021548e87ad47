import { expect, test } from 'vitest';
import { fixedHeader } from '../../../lambdas/catalogue/http/access.ts';
import { failure, open } from './fixtures/opened.ts';
import { page, status } from './fixtures/responses.ts';
import { serve } from './fixtures/server.ts';

const access = fixedHeader('Authorization', 'Token canary');

test.each([300, 301, 302, 303, 305, 307, 308])(
  'a redirect by %i to another origin is refused, and nothing is sent there',
  async (code) => {
    const other = await serve(page());
    const { url, requests } = await serve(
      status(code, { location: `${other.url}/api/v1/?token=canary#canary` }),
    );
    const error = await failure(open(url, { access }).catalogue.activities(1));
    expect(error.code).toBe('CATALOGUE_REDIRECTED');
    expect(error.message).toContain(`HTTP ${code}`);
    expect(error.message).toContain(`to ${other.url}/api/v1/`);
    expect(error.message).not.toContain('canary');
    expect(requests).toHaveLength(1);
    expect(other.requests).toEqual([]);
  },
);

test.each(['/api/v1/activities', '/login/', 'https://[/', '//evil.example/', '', undefined])(
  'a redirect to %j is refused',
  async (location) => {
    const { url, requests } = await serve(status(302, location === undefined ? {} : { location }));
    const error = await failure(open(url, { access }).catalogue.activities(1));
    expect(error.code).toBe('CATALOGUE_REDIRECTED');
    expect(requests).toEqual(['GET /api/v1/activities/']);
  },
);

const repeated = 'canary+secret/1';

test.each([
  ['in the path', (text: string) => `/login/${encodeURIComponent(text)}/`],
  ['in base64', (text: string) => `/login/${Buffer.from(`user:${text}`).toString('base64url')}/`],
])('a redirect that repeats the credential %s does not make it known', async (_how, location) => {
  const { url } = await serve(status(302, { location: location(repeated) }));
  const token = fixedHeader('Authorization', `Token ${repeated}`);
  const error = await failure(open(url, { access: token }).catalogue.activities(1));
  expect(error.message).toContain(`to ${new URL(url).origin}/login/…/`);
});

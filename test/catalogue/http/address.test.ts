import { describe, expect, test } from 'vitest';
import {
  below,
  CatalogueError,
  catalogueErrors,
  catalogueUrl,
  serviceUrl,
} from '../../../lambdas/catalogue/http/access.ts';

const refusal = (make: () => unknown): CatalogueError => {
  try {
    make();
  } catch (error) {
    if (error instanceof CatalogueError) return error;
  }
  throw new Error('expected a CatalogueError');
};

test.each([
  ['https://panels.example.org', 'https://panels.example.org/api/v1/'],
  ['https://panels.example.org/', 'https://panels.example.org/api/v1/'],
  ['https://panels.example.org/api/v1', 'https://panels.example.org/api/v1/'],
  ['https://panels.example.org/api/v1/', 'https://panels.example.org/api/v1/'],
  ['https://panels.example.org/api/v1//', 'https://panels.example.org/api/v1/'],
  ['https://proxy.example.org/panels', 'https://proxy.example.org/panels/api/v1/'],
  ['https://proxy.example.org/panels/api/v1', 'https://proxy.example.org/panels/api/v1/'],
  ['https://panels.example.org/a//b', 'https://panels.example.org/a//b/api/v1/'],
  ['HTTPS://Panels.Example.Org:443/', 'https://panels.example.org/api/v1/'],
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/api/v1/'],
  ['http://[::1]:8000/api/v1/', 'http://[::1]:8000/api/v1/'],
])('the base address %s is that of %s', (given, url) => {
  expect(catalogueUrl(given, catalogueErrors).href).toBe(url);
});

test.each([
  ['', 'is not a URL'],
  ['panels.example.org', '"panels.example.org" is not a URL; try https://panels.example.org.'],
  ['panels.example.org:8000/api/v1/', 'try https://panels.example.org:8000/api/v1/.'],
  ['/api/v1/', 'is not a URL'],
  ['see https://panels.example.org', 'is not a URL'],
  ['x'.repeat(100_000), `"${'x'.repeat(200)}" is not a URL`],
  ['ftp://panels.example.org/', 'is not a URL'],
  ['file:///etc/passwd', 'is not a URL'],
  ['https:panels.example.org', 'is not a URL'],
  ['https://', 'is not a URL'],
  ['https:///panels', 'is not a URL'],
  ['https://panels.example.org:99999/', 'is not a URL'],
  ['https://panels.example.org/?format=api', 'a query or a fragment'],
  ['https://panels.example.org/?', 'a query or a fragment'],
  ['https://panels.example.org/#top', 'a query or a fragment'],
  ['https://user:secret@panels.example.org/', 'a user name or password'],
  ['https://secret@panels.example.org/', 'a user name or password'],
  ['https://@panels.example.org/', 'a user name or password'],
  ['https://user:sec ret@[/', 'a user name or password'],
  ['https:\\\\user:secret@panels.example.org', 'a user name or password'],
  ['http://user:se/cret@panels.example.org/', 'a user name or password'],
  ['http://user:1234/se/cret@panels.example.org/', 'a user name or password'],
  ['se/cret@panels.example.org', 'a user name or password'],
  ['https://panels.example.org/api/v1/activities/', 'below /api/v1/'],
])('the base address %j is refused: %s', (given, reason) => {
  const error = refusal(() => catalogueUrl(given, catalogueErrors));
  expect(error.code).toBe('CATALOGUE_ADDRESS_WRONG');
  expect(error.message).toContain(reason);
  expect(error.message).not.toMatch(/sec ?ret|cret|1234/);
});

test('a service other than the catalogue keeps its own path', () => {
  expect(serviceUrl('https://api.example.org/interpretation', catalogueErrors).href).toBe(
    'https://api.example.org/interpretation/',
  );
});

describe('an address below the base', () => {
  const base = new URL('https://panels.example.org/api/v1/');

  test.each([
    ['activities/', {}, 'https://panels.example.org/api/v1/activities/'],
    ['activities/', { page: '2' }, 'https://panels.example.org/api/v1/activities/?page=2'],
    ['', {}, 'https://panels.example.org/api/v1/'],
    ['a%2Fb/c', {}, 'https://panels.example.org/api/v1/a%2Fb/c'],
    ['a:b/c', { q: 'x&y=z ü' }, 'https://panels.example.org/api/v1/a:b/c?q=x%26y%3Dz+%C3%BC'],
    ['https://evil.example/', {}, 'https://panels.example.org/api/v1/https://evil.example/'],
    ['/evil.example/', {}, 'https://panels.example.org/api/v1//evil.example/'],
  ])('%j with %j', (path, query, url) => {
    expect(below(base, path, query)?.href).toBe(url);
  });

  test.each([
    '../v2/',
    '%2e%2e/v2/',
    '..\\v2\\',
    'panels/../../',
    '..',
    '../..',
    'panels/?page=2',
    'panels/#x',
  ])('%j is none', (path) => {
    expect(below(base, path)).toBeNull();
  });
});

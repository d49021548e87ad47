import { cleanLine } from '../../lambdas/words/clean-text.ts';
import type { Access, Visitor } from '../access/access.ts';
import { createFormTokens } from '../access/by-person.ts';
import type { AccessSettings } from './access-settings.ts';
import { plainPage } from './plain-page.ts';
import { fromProxies, roleOf } from './role-of.ts';

/** A proxy in front of the page signs people in, and states who they are in headers of each request. */
export function proxyAccess({ address, proxyHeaders, proxies, roles }: AccessSettings): Access {
  if (!proxyHeaders || !proxies) throw new TypeError('the settings name no headers of a proxy');
  const tokenOf = createFormTokens();
  return {
    site: { kind: 'address', address: new URL(address) },
    mayConnect: fromProxies(proxies),
    isLimited: true,
    machinePaths: new Set(),
    answer: async () => null,
    async admit({ headers }) {
      const stated = textOf(headers, proxyHeaders.person);
      if (stated === '') {
        return plainPage(
          403,
          'You are not signed in',
          `The proxy stated no person in “${proxyHeaders.person}”.`,
        );
      }
      const values = textOf(headers, roles.claim)
        .split(/[,;]/)
        .map((value) => value.trim());
      const role = roleOf(values.filter(Boolean), roles);
      const name = cleanLine(textOf(headers, proxyHeaders.name ?? proxyHeaders.person) || stated, 200);
      if (role === null) {
        return plainPage(
          403,
          'You may not read this page',
          `You are signed in as ${name}, who has no role here. Ask those who look after the page: “${roles.claim}” must hold one of the values that its settings name.`,
        );
      }
      return {
        person: { id: `proxy|${stated}`, name, account: cleanLine(stated, 200), role },
        formToken: tokenOf(stated),
        canSignOut: false,
        isStillAllowed: async () => true,
      } satisfies Visitor;
    },
  };
}

/** Headers hold Latin-1; proxies write UTF-8. */
const textOf = (headers: Headers, name: string): string =>
  Buffer.from(headers.get(name) ?? '', 'latin1')
    .toString('utf8')
    .trim();

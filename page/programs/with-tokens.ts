import type { Access, Visitor } from '../access/access.ts';
import { isForPrograms, problemResponse } from './problem.ts';
import type { ProgramTokens } from './tokens.ts';

/** Lets programs read what is for programs, with a token of a person; everything else is as before. */
export function withTokens(access: Access, tokens: ProgramTokens): Access {
  return {
    ...access,
    async admit(request) {
      if (!isForPrograms(new URL(request.url).pathname)) return access.admit(request);
      const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
      if (token === undefined) {
        const visitor = await access.admit(request);
        return visitor instanceof Response && visitor.status === 401
          ? unauthorized('This address needs a token')
          : visitor;
      }
      const found = await tokens.find(token);
      if (!found) return unauthorized('This token has ended, or there was never one like it');
      return {
        person: found.person,
        formToken: '',
        canSignOut: false,
        program: found.id,
        isStillAllowed: async () => (await tokens.find(token)) !== null,
      } satisfies Visitor;
    },
  };
}

const unauthorized = (seen: string): Response =>
  problemResponse(
    {
      status: 401,
      title: 'Not signed in',
      detail: `${seen}. Make one on the page, under Programs, and send it as the header “Authorization: Bearer …”.`,
    },
    { 'www-authenticate': 'Bearer' },
  );

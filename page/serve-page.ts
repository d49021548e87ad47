import { answerRequests } from './answer-requests.ts';
import { listen, type Place, type Served } from './listen.ts';
import type { PageOptions } from './route-context.ts';
import type { Access } from './sign-in/access.ts';
import { loopbackAccess } from './sign-in/access.ts';

/** Where the page listens, and who may read. */
export interface Listening extends Place {
  /** Every user of this machine may read where absent. */
  readonly access?: Access | undefined;
  /** The name under which the users of this machine decide, where `access` is absent. */
  readonly as?: string | undefined;
}

/**
 * Serves the page.
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function servePage(
  options: Omit<PageOptions, 'signal'>,
  { as, access = loopbackAccess(as), ...place }: Listening,
): Promise<Served> {
  const closing = new AbortController();
  const page = await listen(answerRequests({ ...options, signal: closing.signal }, access), place);
  return {
    url: page.url,
    close: () => {
      closing.abort(new Error('the page is closed'));
      return page.close();
    },
  };
}

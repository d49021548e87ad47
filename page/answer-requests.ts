import { createGate } from './gate.ts';
import { guarded } from './guard.ts';
import { createPage } from './page.ts';
import type { PageOptions } from './route-context.ts';

/** With the longest view, 16 open responses hold 64 MB. A browser asks for six things of one site at a time. */
const VIEWS = { open: 16, waiting: 100 };
/** Each open tab of the changes holds one. */
const LIVE_STREAMS = { open: 64, waiting: 0 };

/** Answers the requests of browsers: refuses those of other sites, and bounds what all of them hold together. */
export function answerRequests(options: PageOptions): (request: Request) => Promise<Response> {
  const app = createPage(options);
  const [views, streams] = [createGate(VIEWS), createGate(LIVE_STREAMS)];
  return (request) =>
    guarded(request, (allowed) => {
      const gate = new URL(allowed.url).pathname === '/live' ? streams : views;
      return gate(() => app.fetch(allowed));
    });
}

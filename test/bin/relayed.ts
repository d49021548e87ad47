import { type Ran, runCommand } from './run-command.ts';

/** Runs a command that serves a relay, while `use` reads catalogue `uk` there. */
export async function relayed(args: readonly string[], use: (url: string) => Promise<void>): Promise<Ran> {
  const stopping = new AbortController();
  let printed = '';
  const { promise: started, resolve } = Promise.withResolvers<string>();
  const running = runCommand(args, {
    signal: stopping.signal,
    onMessage: (text) => {
      printed += text;
      const [, url] = /^Relay: (\S+)$/m.exec(printed) ?? [];
      if (url !== undefined && printed.includes('Ctrl-C')) resolve(`${url}uk/api/v1/`);
    },
  });
  try {
    await use(await Promise.race([started, running.then((ran) => Promise.reject(new Error(ran.stderr)))]));
  } finally {
    stopping.abort();
  }
  return running;
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A request that a webhook took. */
interface Posted {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A mail server and a server of webhooks, which keep what they take. */
export interface Receivers {
  /** The port of the mail server, which asks for no login. */
  readonly mailPort: number;
  /** The address of a webhook of this name. */
  address(name: string): string;
  /** From now on the webhook answers with this status; it keeps only what it answers with 200. */
  answerWith(name: string, status: number): void;
  /** Acts once when a webhook, or the mail server for an address, has taken a message, in place of an answer. */
  onceTaken(name: string, act: () => void): void;
  /** What the webhook took since the last call. */
  takePosted(name: string): readonly Posted[];
  /** The mails to an address since the last call. */
  takeMails(to: string): Promise<readonly Email[]>;
  stop(): Promise<void>;
}

/** Starts both on 127.0.0.1. */
export async function startReceivers(): Promise<Receivers> {
  const posted = new Map<string, Posted[]>();
  const statuses = new Map<string, number>();
  const mails = new Map<string, string[]>();
  const acts = new Map<string, () => void>();
  const actFor = (name: string): boolean => {
    const act = acts.get(name);
    acts.delete(name);
    act?.();
    return act !== undefined;
  };
  const keep = <Item>(kept: Map<string, Item[]>, name: string, item: Item): void => {
    kept.set(name, [...(kept.get(name) ?? []), item]);
  };
  const take = <Item>(kept: Map<string, Item[]>, name: string): readonly Item[] => {
    const items = kept.get(name) ?? [];
    kept.delete(name);
    return items;
  };

  const web = createServer((request, response) => {
    const [name = ''] = (request.url ?? '').slice(1).split('?');
    const status = statuses.get(name) ?? 200;
    void text(request).then((body) => {
      if (status === 200) keep(posted, name, { headers: request.headers, body });
      if (actFor(name)) return;
      response.writeHead(status).end(status === 200 ? 'ok' : 'not now');
    });
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');

  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope: { rcptTo } }, done) => {
      text(stream).then((raw) => {
        for (const { address } of rcptTo) keep(mails, address, raw);
        if (!rcptTo.some(({ address }) => actFor(address))) done();
      }, done);
    },
  });
  mail.listen(0, '127.0.0.1');
  await once(mail.server, 'listening');

  return {
    mailPort: (mail.server.address() as AddressInfo).port,
    address: (name) => `http://127.0.0.1:${(web.address() as AddressInfo).port}/${name}`,
    answerWith: (name, status) => {
      statuses.set(name, status);
    },
    onceTaken: (name, act) => {
      acts.set(name, act);
    },
    takePosted: (name) => take(posted, name),
    takeMails: (to) => Promise.all(take(mails, to).map((raw) => PostalMime.parse(raw))),
    stop: async () => {
      web.closeAllConnections();
      web.close();
      await new Promise<void>((resolve) => mail.close(() => resolve()));
    },
  };
}

import {
  answerMessages,
  type MessagesAnswer,
  type MessagesRequest,
  messagesAnswerSchema,
} from '../../lambdas/notify/kept-messages.ts';
import { counted, printable, safeJson } from '../../lambdas/run/text.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';
import { type Io, UsageError } from '../command.ts';
import { declareWithOperands, flag, type Run, text } from '../declare-command.ts';
import { defaultState, openForReading } from '../local/open-state.ts';
import { askNotify, readStage } from '../stage.ts';
import { logLines } from '../terminal.ts';

const options = {
  sent: flag('the messages that were sent, the newest first'),
  config: text('FILE', 'the settings', 'notifier.config.ts'),
  state: text('DIR', `the folder of watch (default: ${defaultState})`),
  stage: text('NAME', 'a deployed stage instead; needs AWS credentials in the environment'),
  json: flag('one JSON document'),
};

const run: Run<typeof options> = async (values, operands, io) => {
  if (values.stage !== undefined && values.state !== undefined)
    throw new UsageError('--stage and --state name different places; give one of them');
  const request = readRequest(operands, values.sent);
  const { config, stage, state = defaultState } = values;
  const asked = { request: { messages: request }, answer: messagesAnswerSchema, called: 'list of messages' };
  const answer = await (stage === undefined
    ? askLocal(request, { config, state }, io)
    : askNotify(asked, { config, stage }, io));
  if (values.json) io.stdout.write(`${safeJson(JSON.stringify(answer, null, 2))}\n`);
  else io.stdout.write(`${linesOf(request, answer).map(printable).join('\n')}\n`);
  return answer.found ? 0 : 1;
};

function readRequest([verb = '', one, other, ...rest]: readonly string[], sent: boolean): MessagesRequest {
  const wrong = (): UsageError =>
    new UsageError(
      `saw ${JSON.stringify([verb, one, other, ...rest].filter(Boolean).join(' '))}; expected: messages list, send ID, drop ID, or move FROM TO`,
    );
  if (verb === 'list' && one === undefined) return { verb: sent ? 'sent' : 'list' };
  if (sent) throw new UsageError('--sent goes with "list" only');
  if ((verb === 'send' || verb === 'drop') && one !== undefined && other === undefined)
    return { verb, id: one };
  if (verb === 'move' && one !== undefined && other !== undefined && rest.length === 0)
    return { verb, from: placeIn(one), to: placeIn(other) };
  throw wrong();
}

function placeIn(text: string): { readonly subscription: string; readonly channel: string } {
  const slash = text.indexOf('/');
  if (slash > 0) return { subscription: text.slice(0, slash), channel: text.slice(slash + 1) };
  throw new UsageError(
    `${JSON.stringify(text)}: expected a subscription and its channel, such as green-genes/slack:lab-slack; "messages list" shows them`,
  );
}

function linesOf(
  request: MessagesRequest,
  { found, messages = [], sent = [], moved = 0 }: MessagesAnswer,
): readonly string[] {
  switch (request.verb) {
    case 'list':
      return messages.length === 0
        ? [nothingKept]
        : [`${counted(messages.length, 'message')} not sent yet:`, ...messages.map(messageLine)];
    case 'sent':
      return sent.length === 0
        ? ['No message was sent in the last 30 days.']
        : [`${counted(sent.length, 'message')} sent in the last 30 days:`, ...sent.map(sentLine)];
    case 'send':
      return [found ? 'The next run sends it, within a minute.' : unknown(request.id)];
    case 'drop':
      return [found ? 'Dropped. It will not be sent.' : unknown(request.id)];
    case 'move':
      return [
        found
          ? `${counted(moved, 'event')} handed over.`
          : 'The settings have no such channel to move to. "messages list" names channels as SUBSCRIPTION/CHANNEL.',
      ];
    default:
      return request satisfies never;
  }
}

const nothingKept =
  'No message waits, fails or is set aside. Changes that wait for a digest, or for more changes of their panel, are not messages yet.';

const unknown = (id: string): string =>
  `There is no message ${id}: it was dropped or sent long ago, or the id is incomplete. "messages list" and "messages list --sent" show what there is.`;

type Listed = NonNullable<MessagesAnswer['messages']>[number];
type Sent = NonNullable<MessagesAnswer['sent']>[number];

const states: Readonly<Record<Listed['state'], string>> = {
  waiting: 'not tried yet',
  failing: 'fails',
  'set-aside': 'set aside',
};

const times = timeWords('UTC');
const moment = (at: number): string => times.moment(new Date(at).toISOString());

const sentLine = ({ id, subscription, channel, at, headline, answer }: Sent): string =>
  [`${id} ${subscription}/${channel}: ${headline}`, `sent ${moment(at)}`, `answer: ${answer}`].join('; ');

function messageLine(message: Listed): string {
  const { id, subscription, channel, state, begun, attempts, notBefore, reason, orphaned } = message;
  const next = orphaned
    ? 'the settings no longer have this channel: move or drop it'
    : `next attempt ${moment(notBefore)}`;
  const parts = [
    `${id === '' ? 'waiting events' : id} ${subscription}/${channel}: ${states[state]}`,
    contentWords(message),
    `since ${moment(begun)}`,
    attempts > 0 ? counted(attempts, 'attempt') : '',
    next,
    reason === null ? '' : `last error: ${reason}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function contentWords({ content }: Listed): string {
  switch (content.kind) {
    case 'events':
      return `${counted(content.events.length, 'event')}: ${content.events.slice(0, 3).join(', ')}${content.events.length > 3 ? ', …' : ''}`;
    case 'digest':
      return `digest of ${content.period.since} to ${content.period.until}`;
    case 'alarm':
      return `${content.alarm.state === 'alarm' ? 'alarm' : 'end of the alarm'} ${content.alarm.alarm}`;
    default:
      return content satisfies never;
  }
}

export const command = declareWithOperands({
  name: 'messages',
  synopsis: [
    'list [--sent] [options]',
    'send ID [options]',
    'drop ID [options]',
    'move SUBSCRIPTION/CHANNEL SUBSCRIPTION/CHANNEL [options]',
    'queues --stage NAME [QUEUE] [options]',
  ],
  about: [
    'Shows the messages that were not sent: those that wait, those that fail, and those that were set aside after a day of attempts, which are tried twice a day until they are sent or dropped. With --sent, shows those of the last 30 days that were sent: what went where and when, and what the receiver answered. "send" sends one at the next run, within a minute, also one that was sent before. "drop" removes one for good. "move" gives the messages of a channel that the settings no longer have to one that they have. "messages queues --help" describes what shows and moves the dead letters of a deployed stage.',
  ],
  options,
  exitCodes: '0 done, 1 failed or no such message, 2 wrong arguments',
  examples: [
    '$0 messages list',
    '$0 messages send 3f9a0c… --stage production',
    '$0 messages move green-genes/slack:old green-genes/slack:lab',
  ],
  run,
});

/** Asks the outbox of this machine. A `watch` may run meanwhile: it sees the change at its next run. */
async function askLocal(
  request: MessagesRequest,
  { config, state }: { readonly config: string; readonly state: string },
  io: Io,
): Promise<MessagesAnswer> {
  const { createSqliteItems } = await import('../../lambdas/store/items-sqlite.ts');
  const { openKeptMessages } = await import('../../lambdas/notify/kept-messages.ts');
  const { localPlan } = await import('../local/channels.ts');
  const { now } = io.clock;
  const settings = await readStage(config, undefined, io);
  const file = openForReading(state);
  try {
    const store = createSqliteItems(file, { what: 'the messages', now });
    const kept = openKeptMessages(localPlan(settings).plan, { store, now, log: logLines(io) });
    return await answerMessages(request, kept);
  } finally {
    file.close();
  }
}

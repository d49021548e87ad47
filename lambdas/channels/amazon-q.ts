import { amazonQMessage } from './amazon-q-message.ts';
import { type ChannelType, jsonFile } from './channel.ts';
import { notFromHere } from './not-from-here.ts';

/** Amazon Q Developer in chat applications, which listens to a topic of its own. */
export const amazonQ: ChannelType<'amazon-q'> = {
  kind: 'amazon-q',
  title: 'Amazon Q in chat',
  setUp:
    'Let the chat channel listen to the topic: the output `TopicChat`, followed by the name of the subscription. Threads by panel.',
  pauseMs: 1_000,
  dropsRepeats: false,
  afterTrial: 'SNS took it. It appears once a chat channel listens to the topic.',
  preview: ({ notice, id }) => [jsonFile(amazonQMessage(notice, { id }))],
  async send({ id, subscription, notice }, { context: { publish }, signal }) {
    if (!publish) throw notFromHere('amazon-q');
    const text = JSON.stringify(amazonQMessage(notice, { id }));
    await publish({ topic: 'chat', subscription, text }, { signal });
  },
};

import type { FormNode } from './form.ts';

/** A message attribute as received; a `Binary` value stays in base64. */
export interface SnsAttribute {
  readonly name: string;
  readonly type: string;
  readonly value: string;
}

/** One message of a call. The message of `Publish` has an empty id. */
export interface SnsEntry {
  readonly id: string;
  readonly body: string;
  readonly subject: string | undefined;
  readonly attributes: readonly SnsAttribute[];
}

/** A `Publish` or `PublishBatch` request. */
export interface SnsCall {
  readonly action: 'Publish' | 'PublishBatch';
  readonly topicArn: string;
  readonly entries: readonly SnsEntry[];
}

/** Reads a `Publish` or `PublishBatch` from its form. */
export function readCall(action: SnsCall['action'], form: FormNode): SnsCall {
  const entries =
    action === 'Publish' ? [form] : form.child('PublishBatchRequestEntries').child('member').children();
  return { action, topicArn: form.child('TopicArn').text, entries: entries.map(readEntry) };
}

function readEntry(node: FormNode): SnsEntry {
  return {
    id: node.child('Id').text,
    body: node.child('Message').text,
    subject: node.has('Subject') ? node.child('Subject').text : undefined,
    attributes: node.child('MessageAttributes').child('entry').children().map(readAttribute),
  };
}

function readAttribute(node: FormNode): SnsAttribute {
  const value = node.child('Value');
  return {
    name: node.child('Name').text,
    type: value.child('DataType').text,
    value: value.child(value.has('BinaryValue') ? 'BinaryValue' : 'StringValue').text,
  };
}

/** Why SNS refuses a request, with the codes of its query protocol. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Why one entry fails although the response is 200. */
export interface EntryFailure {
  readonly code: string;
  readonly message: string;
  /** False for a transient error inside SNS. */
  readonly senderFault: boolean;
}

/** The largest request, in bytes of bodies and attributes together. */
const CALL_BYTES = 262_144;
const CALL_ENTRIES = 10;
const SUBJECT_CHARACTERS = 99;

/** Why a whole request is refused, or undefined where its entries are checked one by one. */
export function refusalOfCall(call: SnsCall): Refusal | undefined {
  if (call.action === 'Publish') return undefined;
  if (call.entries.length === 0) {
    return refusal('EmptyBatchRequest', "The batch request doesn't contain any entries.");
  }
  if (call.entries.length > CALL_ENTRIES) {
    return refusal(
      'TooManyEntriesInBatchRequest',
      `The batch request contains more than ${CALL_ENTRIES} entries.`,
    );
  }
  const ids = call.entries.map((entry) => entry.id);
  if (!ids.every((id) => /^[\w-]{1,80}$/.test(id))) {
    return refusal(
      'InvalidBatchEntryId',
      'An entry id is not 1 to 80 letters, digits, hyphens, underscores.',
    );
  }
  if (new Set(ids).size < ids.length) {
    return refusal('BatchEntryIdsNotDistinct', 'Two or more entries have the same id.');
  }
  if (call.entries.reduce((sum, entry) => sum + bytesOf(entry), 0) > CALL_BYTES) {
    return refusal('BatchRequestTooLong', 'The batch is longer than the limit.');
  }
  return undefined;
}

/** Why one entry is refused, or undefined where it is accepted. */
export function refusalOfEntry(entry: SnsEntry): EntryFailure | undefined {
  if (entry.body === '') return failure('InvalidParameter', 'Invalid parameter: Empty message');
  if (!isXmlText(entry.body)) {
    return failure('InvalidParameter', 'Invalid parameter: Message has invalid characters');
  }
  if (bytesOf(entry) > CALL_BYTES) return failure('InvalidParameter', 'Invalid parameter: Message too long');
  if (entry.subject !== undefined && !isSubject(entry.subject)) {
    return failure('InvalidParameter', 'Invalid parameter: Subject');
  }
  return entry.attributes.map(refusalOfAttribute).find((found) => found !== undefined);
}

/** The size as SNS counts it: body, subject, and names, types and values of the attributes, in UTF-8. */
function bytesOf({ body, subject = '', attributes }: SnsEntry): number {
  const counted = [body, subject, ...attributes.flatMap(({ name, type, value }) => [name, type, value])];
  return counted.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function refusalOfAttribute({ name, type, value }: SnsAttribute): EntryFailure | undefined {
  const wrong = (what: string): EntryFailure =>
    failure('InvalidParameterValue', `The message attribute '${name}' ${what}.`);
  if (!isAttributeName(name)) return wrong('has an invalid name');
  if (!['String', 'String.Array', 'Number', 'Binary'].includes(type)) {
    return wrong(`has an invalid type '${type}'`);
  }
  if (value === '') return wrong(`must contain non-empty message attribute value for type '${type}'`);
  if (!isXmlText(value)) return wrong('has invalid characters');
  if (type === 'Number' && !Number.isFinite(Number(value))) return wrong('is not a number');
  if (type === 'String.Array' && !isArrayOfScalars(value)) return wrong('is not an array of plain values');
  return undefined;
}

function isAttributeName(name: string): boolean {
  return /^[\w-]+(\.[\w-]+)*$/.test(name) && name.length <= 256 && !/^(aws|amazon)\./i.test(name);
}

/** Whether a text has XML 1.0 characters only. SQS accepts no others, and drops a raw delivery with one. */
function isXmlText(text: string): boolean {
  return /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u.test(text);
}

function isSubject(text: string): boolean {
  return text !== '' && text.length <= SUBJECT_CHARACTERS && !/\p{Cc}|\p{Zl}|\p{Zp}/u.test(text);
}

function isArrayOfScalars(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object');
  } catch {
    return false;
  }
}

function refusal(code: string, message: string): Refusal {
  return { status: 400, code, message };
}

function failure(code: string, message: string): EntryFailure {
  return { code, message, senderFault: true };
}

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

/** A node of an AWS query form, where `A.member.1.B=x` is a path: A → member → 1 → B. */
interface FormNode {
  /** The value at this path, or an empty text. */
  readonly text: string;
  has(name: string): boolean;
  /** The node with this name below this one; an empty node where there is none. */
  child(name: string): FormNode;
  /** The numbered nodes below this one, in order. */
  children(): readonly FormNode[];
}

interface Tree {
  text: string;
  readonly below: Map<string, Tree>;
}

/** Parses the body of a request of the AWS query protocol, which the SDK's SNS client uses. */
export function readForm(body: string): FormNode {
  const root = emptyTree();
  for (const [path, text] of new URLSearchParams(body)) {
    let tree = root;
    for (const name of path.split('.')) {
      const next = tree.below.get(name) ?? emptyTree();
      tree.below.set(name, next);
      tree = next;
    }
    tree.text = text;
  }
  return nodeOf(root);
}

function nodeOf(tree: Tree): FormNode {
  return {
    text: tree.text,
    has: (name) => tree.below.has(name),
    child: (name) => nodeOf(tree.below.get(name) ?? emptyTree()),
    children: () => [...tree.below.values()].map(nodeOf),
  };
}

function emptyTree(): Tree {
  return { text: '', below: new Map() };
}

import type { Activity } from '../lambdas/catalogue/schemas.ts';
import { type ChannelKind, channelKinds, settingsOf } from '../lambdas/channels/channel-settings.ts';
import { channelType } from '../lambdas/channels/channels.ts';
import type { Form, Part } from '../lambdas/classifier/form.ts';
import { forms } from '../lambdas/classifier/grammar/forms.ts';
import { match, namesOf, type Template } from '../lambdas/classifier/template.ts';
import type { Entity } from '../lambdas/events/schemas.ts';

const panel = 'Deafness';
const entities: Readonly<Record<Entity['type'], Entity>> = {
  gene: { type: 'gene', name: 'BRCA1' },
  str: { type: 'str', name: 'HTT_CAG' },
  region: { type: 'region', name: 'ISCA-37390-Loss' },
};

/** The value that an example has for a group of a pattern, by the group's name. */
const values: Readonly<Record<string, string>> = {
  comment: 'Confirmed.',
  date: '2024-03-06',
  entity: 'BRCA1',
  fields: '…',
  from: 'BRCC1',
  actor: 'Jo',
  gene: 'HTT',
  item: 'UKGTN',
  list: 'Research',
  moi: 'Unknown',
  mop: 'Other',
  name: panel,
  panel: 'Ataxia',
  penetrance: 'Complete',
  phenotypes: 'Ataxia',
  publications: '28708303',
  sides: 'one to other',
  source: 'UKGTN',
  sources: 'Literature,Expert Review Green',
  tag: 'watchlist',
  tags: 'watchlist',
  to: 'ATXN1',
  version: '3.0',
};

/** Tried in turn where the value of the group's name gives no event. */
const others = ['3 to 4', 'old was changed to new', 'One family.; to: Two families.', 'Sources: Literature'];

/** The page of all wordings, made from the grammar. */
export function wordingsPage(): string {
  return `# Wordings

This page is made from \`lambdas/classifier/grammar\` by \`npm run docs\`; do not edit it.

Each section is one *form*, the text of one row, with what it is about (any entity where nothing is said) and its events. Each line is
an example of one template, with its events where they differ; lines that differ from an earlier one only in the name or its label are
left out. The parts of a composite come in this order; those in [brackets] may be missing. [Add a wording](adding-a-wording.md).

${sections().join('\n')}`;
}

/** A text without the name of its entity and the label before it: what two forms of one wording share. */
const wordingOf = (text: string): string =>
  text.replaceAll(/(?:(?:gene|STR|region):? ?)*(?:BRCA1|HTT_CAG|ISCA-37390-Loss)/gi, '⟨entity⟩');

/** A section a form; a form shows only what no earlier one has. */
function sections(): readonly string[] {
  const shown = new Set<string>();
  return forms.map((form) => section(form, shown)).filter((text) => text !== '');
}

function section(form: Form, shown: Set<string>): string {
  const { level, types, within, slots, separator } = form;
  const about = level === 'panel' ? 'panel' : types.length === 3 ? '' : types.join(', ');
  const single = slots.length === 1 && !slots[0]?.many;
  const opening = within ? `, fields joined by \`${separator.trim()}\`` : '';
  const parts = [
    ...(within ? [{ part: within, optional: false }] : []),
    ...slots.flatMap(({ parts: some, required }) => some.map((part) => ({ part, optional: !required }))),
  ];
  const all = parts.flatMap(({ part, optional }) =>
    part.templates.map((template) => exampleOf(form, part, template, optional)),
  );
  const fresh = all.filter(({ text, events }) => {
    const seen = shown.size;
    return shown.add(`${wordingOf(text)} ${events}`).size > seen;
  });
  if (fresh.length === 0) return '';
  const usual = mostFrequent(fresh.map(({ events }) => events));
  const lines = fresh.map(({ text, events }) => `${text}${events === usual ? '' : `  → ${events}`}`);
  const kind = [about, ...(single ? [] : [`composite${opening}`])].filter((one) => one !== '').join(', ');
  return `## \`${form.name}\`${kind && `: ${kind}`}\n\n${usual}\n\n${lines.map((line) => `    ${line}`).join('\n')}\n`;
}

function mostFrequent(texts: readonly string[]): string {
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? '';
}

interface Example {
  readonly text: string;
  readonly events: string;
}

function exampleOf({ types, level }: Form, part: Part, template: Template, optional: boolean): Example {
  const entity = level === 'panel' ? null : entities[types[0] ?? 'gene'];
  const drafts = candidatesOf(template, entity).map((text) => {
    const captured = match(template, namesOf(entity, panel), text);
    if (!captured) return { text, draft: null };
    return {
      text,
      draft: part.read(captured.words, { activity: activityOf(text, entity), entity }, captured.groups),
    };
  });
  const example = drafts.find(({ draft }) => draft !== null);
  if (!example) throw new Error(`no example of ${template.pattern} gives an event: "${drafts[0]?.text}"`);
  const { text } = example;
  return { text: optional ? `[${text}]` : text, events: Object.keys(example.draft ?? {}).join(', ') };
}

/** Texts of which the template matches one, with the entity and the panel of the examples. */
function candidatesOf(template: Template, entity: Entity | null): readonly string[] {
  const names = namesOf(entity, panel);
  const named = template.source.replace(
    /⟨(label|Label|name|panel)⟩/g,
    (_, name: keyof typeof names) => names[name] ?? '',
  );
  return [undefined, ...others].map((other) =>
    named
      .replace(/\(\?<(\w+)>((?:\\.|\((?:\\.|[^()])*\)|[^()])*)\)/g, (_, name: string, content: string) =>
        exampleValue(name, content, other),
      )
      .replaceAll('.*', 'Ataxia')
      .replaceAll('\\', ''),
  );
}

function exampleValue(name: string, content: string, other: string | undefined): string {
  const isFree = /^(?:\.|\\S|\\w|\\d)/.test(content);
  if (!isFree && content.includes('|')) return content.split('|')[name === 'from' ? 1 : 0] ?? '';
  if (name === 'from' && content === '.*') return 'Complete';
  if (name === 'from' || name === 'to')
    return content.startsWith('\\w') ? statuses[name] : (values[name] ?? name);
  if (name === 'type' || !(isFree || content.includes(' to '))) return other ?? content;
  const value = other ?? values[name];
  if (value === undefined) throw new Error(`the group "${name}" has no value for examples`);
  return value;
}

const statuses = { from: 'internal', to: 'public' } as const;

function activityOf(text: string, entity: Entity | null): Activity {
  return {
    created: '2026-11-01T09:00:00.000001Z',
    panel_name: panel,
    panel_id: 1,
    panel_version: '1.0',
    user_name: 'Jo Example',
    item_type: entity ? 'entity' : 'panel',
    text,
    entity_name: entity?.name ?? null,
    entity_type: entity?.type ?? null,
  };
}

const intro = `# Channels

This page is made from \`lambdas/channels\` by \`npm run docs\`; do not edit it. [Messages](guides/messages.md) shows how to set
channels up, [adding a channel](adding-a-channel.md) how to write one.

Addresses and tokens are secrets: the settings name their entry in the secret of the channels, such as \`lab-slack\`. In
brackets: the pause between two messages, and whether the receiver drops [a message that has to be sent
again](guides/messages.md#what-at-least-once-means-here), or shows it with a line that says so.
`;

/** The page of the docs with what each channel needs and does. */
export function channelsPage(): string {
  const channels = channelKinds.map((kind) => {
    const { title, setUp, pauseMs, dropsRepeats } = channelType(kind);
    const place = settingsOf(kind).deployedOnly === null ? '' : ', on AWS only';
    const repeats = dropsRepeats ? 'dropped' : 'shown';
    return `- **${title}**, ${settingsExample(kind)}: ${setUp} (pause ${pauseMs / 1000} s, repeats ${repeats}${place})`;
  });
  return `${intro}\n${channels.join('\n')}\n`;
}

/** The channel in the settings, such as `{ kind: 'slack', webhook: 'lab-slack' }`. */
function settingsExample(kind: ChannelKind): string {
  const values: Readonly<Record<string, string>> = {
    to: kind === 'smtp' ? "['a@example.org']" : "'a@example.org'",
    webhook: `'lab-${kind}'`,
    bot: `'lab-${kind}'`,
    channel: "'C0123456789'",
    room: "'Y2lzY29zcGFyazovL3VzL1JPT00v…'",
  };
  const fields = Object.keys(settingsOf(kind).fields).map((name) => `, ${name}: ${values[name] ?? '…'}`);
  return `\`{ kind: '${kind}'${fields.join('')} }\``;
}

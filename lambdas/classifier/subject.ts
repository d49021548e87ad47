import type { Activity } from '../catalogue/schemas.ts';
import { type Entity, entityTypes } from '../events/schemas.ts';
import type { Grammar } from './grammar.ts';
import { labelOf, type Mention, type Names } from './mention.ts';
import type { Wording, Words } from './wording.ts';

/** Whom a text may be about, and what its first line, and all others, can mention. */
export interface Subject {
  readonly entity: Entity | null;
  readonly first: Names;
  readonly later: Names;
}

function subjectOf(entity: Entity | null, panel: string): Subject {
  const names = { name: entity?.name ?? null, panel };
  return { entity, first: names, later: names };
}

/** A row about the panel itself. */
export function panelOf({ panel_name }: Activity): Subject {
  return subjectOf(null, panel_name);
}

/**
 * Whom a row about an entity may be about, the likeliest first: what the row says, else guesses from its text,
 * which the grammar has to confirm.
 */
export function subjectsOf(activity: Activity, { entityOpenings }: Grammar): readonly Subject[] {
  const { text, panel_name: panel, entity_name: name, entity_type } = activity;
  const type = entityTypes.find((known) => known === entity_type);
  if (!name || !type) {
    const guesses = name
      ? entityTypes.map((guess) => ({ type: guess, name }))
      : mentionedIn(text, entityOpenings);
    return [null, ...guesses].map((entity) => subjectOf(entity, panel));
  }
  const subject = subjectOf({ type, name }, panel);
  const former = type === 'gene' ? null : nameBefore(text, name);
  return former === null ? [subject] : [subject, { ...subject, later: { name: former, panel } }];
}

/** The old name, where a composite starts with a rename to the name that its row carries. */
function nameBefore(text: string, name: string): string | null {
  const end = text.indexOf('\n');
  const words = ` was changed to ${name}`;
  return end !== -1 && text.endsWith(words, end) ? text.slice(0, end - words.length) : null;
}

/** Whom the first line may mention, by the wordings that it starts or ends like. */
function mentionedIn(text: string, openings: readonly Wording[]): Entity[] {
  const [line = ''] = text.split('\n', 1);
  const found = new Map<string, Entity>();
  for (const { head, tail } of openings) {
    for (const entity of [...namesAfter(line, head), ...namesBefore(line, tail)]) {
      found.set(`${entity.type} ${entity.name}`, entity);
    }
  }
  return [...found.values()];
}

function namesAfter(line: string, { before, mention }: Words): Entity[] {
  if (!mention || !line.startsWith(before)) return [];
  return typesOf(mention).flatMap((type) => {
    const label = labelOf(mention, type);
    if (!line.startsWith(label, before.length)) return [];
    const name = /^\S+/.exec(line.slice(before.length + label.length))?.[0] ?? '';
    const named = name.endsWith(':') ? name.slice(0, -1) : name;
    return named ? [{ type, name: named }] : [];
  });
}

function namesBefore(line: string, { before, mention, after }: Words): Entity[] {
  if (!mention || !line.endsWith(after)) return [];
  const rest = line.slice(0, line.length - after.length);
  const at = rest.lastIndexOf(' ') + 1;
  const name = rest.slice(at);
  return typesOf(mention).flatMap((type) =>
    name && rest.endsWith(before + labelOf(mention, type), at) ? [{ type, name }] : [],
  );
}

/** Wordings without a label come from a time when panels held nothing but genes. */
function typesOf(mention: Mention): readonly Entity['type'][] {
  return mention === 'name' ? ['gene'] : entityTypes;
}

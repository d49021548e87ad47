import type { Activity } from '../catalogue/schemas.ts';
import { type Entity, entityTypes } from '../events/schemas.ts';
import { type Names, namesOf, type Template } from './template.ts';

/** What a text may be about, and the names that its lines can mention. */
export interface Subject {
  readonly entity: Entity | null;
  readonly panel: string;
  /** The names that the first line can mention, and all later ones. */
  readonly first: Names;
  readonly later: Names;
}

/** The subject of a row about the panel itself, or about an entity of it. */
export function subjectOf(entity: Entity | null, panel: string, former?: string): Subject {
  const first = namesOf(entity, panel);
  const later = entity && former !== undefined ? namesOf({ ...entity, name: former }, panel) : first;
  return { entity, panel, first, later };
}

/**
 * What a row about an entity may be about, the likeliest first: what the row says, else guesses from its text.
 * `firstLines` gives the templates that can match its first line; one has to confirm the guess.
 */
export function subjectsOf(activity: Activity, firstLines: () => readonly Template[]): readonly Subject[] {
  const { text, panel_name: panel, entity_name: name, entity_type } = activity;
  const type = entityTypes.find((known) => known === entity_type);
  if (name && type) {
    const entity = { type, name };
    const former = type === 'gene' ? null : formerName(text, name);
    const subject = subjectOf(entity, panel);
    return former === null ? [subject] : [subject, subjectOf(entity, panel, former)];
  }
  const guesses = name
    ? entityTypes.map((guess) => ({ type: guess, name }))
    : namedIn(text.split('\n', 1)[0] ?? '', firstLines());
  return [null, ...guesses].map((entity) => subjectOf(entity, panel));
}

/** The old name, where a composite starts with a rename to the name that its row carries. */
function formerName(text: string, name: string): string | null {
  const end = text.indexOf('\n');
  const words = ` was changed to ${name}`;
  return end !== -1 && text.endsWith(words, end) ? text.slice(0, end - words.length) : null;
}

/** The entities that a first line may name, each once. */
function namedIn(line: string, firstLines: readonly Template[]): readonly Entity[] {
  const found = new Map<string, Entity>();
  for (const { anyEntity } of firstLines) {
    const { gene, str, region, bare } = anyEntity.exec(line)?.groups ?? {};
    const name = gene ?? str ?? region ?? bare;
    if (name === undefined) continue;
    // Wordings without a label come from a time when panels held nothing but genes.
    const type = str !== undefined ? 'str' : region !== undefined ? 'region' : 'gene';
    found.set(`${type} ${name}`, { type, name });
  }
  return [...found.values()];
}

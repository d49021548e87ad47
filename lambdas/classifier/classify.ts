import type { Activity } from '../catalogue/schemas.ts';
import { type Entity, entityTypes } from '../events/schemas.ts';
import { type Composition, compose } from './compose.ts';
import { derive } from './derive.ts';
import type { Draft } from './draft.ts';
import type { Form } from './form.ts';
import { forms } from './grammar/forms.ts';
import { mentionOf, typeByLabel } from './mention.ts';

/** What a row of the log says. */
export interface Reading {
  /** Name of the form that read it. */
  readonly form: string;
  /** Whom it is about; null for a row about the panel itself. */
  readonly entity: Entity | null;
  readonly draft: Draft;
  /** Lines that were not understood beside those that were; empty nearly always. */
  readonly unknown: readonly string[];
}

/**
 * Reads one row of the activity log (interface specification, "Activity"). Pure and total: any text of any
 * size gives an answer in time linear in its length; null is the answer for a wording that is not known.
 */
export function classify(activity: Activity): Reading | null {
  const level = levelOf(activity);
  const entity = level === 'entity' ? entityOf(activity) : null;
  const candidates = level === 'entity' && !entity ? [null, ...entitiesIn(activity)] : [entity];
  for (const partial of [false, true]) {
    for (const candidate of candidates) {
      const reading = readAs(activity, level, candidate, partial);
      if (reading) return reading;
    }
  }
  return null;
}

/** Every form that reads the row in full; more than one is a fault of the grammar. */
export function readingForms(activity: Activity): readonly string[] {
  const level = levelOf(activity);
  const entity = level === 'entity' ? entityOf(activity) : null;
  return fitting(level, entity)
    .filter((form) => readBy(form, activity, entity, false))
    .map((form) => form.name);
}

function readAs(
  activity: Activity,
  level: Form['level'],
  entity: Entity | null,
  partial: boolean,
): Reading | null {
  for (const form of fitting(level, entity)) {
    const composition = readBy(form, activity, entity, partial);
    if (!composition) continue;
    return {
      form: form.name,
      entity: composition.entity ?? entity,
      draft: derive(composition.draft),
      unknown: composition.unknown,
    };
  }
  return null;
}

function readBy(form: Form, activity: Activity, entity: Entity | null, partial: boolean): Composition | null {
  const pieces = activity.text.split('\n');
  const mention = mentionOf(entity);
  const formerName = entity && pieces.length > 1 ? nameBefore(pieces[0] ?? '', entity.name) : undefined;
  const mentionAfter = formerName ? mentionOf(entity, formerName) : mention;
  return compose(pieces, {
    form,
    context: { activity, entity },
    separator: '\n',
    partial,
    mask: (piece, index) => (index === 0 ? mention : mentionAfter).mask(piece),
    unmask: mention.unmask,
  });
}

function fitting(level: Form['level'], entity: Entity | null): readonly Form[] {
  return forms.filter((form) => form.level === level && (!form.type || form.type === entity?.type));
}

function levelOf({ item_type, entity_name }: Activity): Form['level'] {
  if (item_type === 'panel' || item_type === 'entity') return item_type;
  return entity_name === null ? 'panel' : 'entity';
}

function entityOf({ entity_name: name, entity_type }: Activity): Entity | null {
  const type = entityTypes.find((known) => known === entity_type);
  return name && type ? { type, name } : null;
}

/** The old name, where a composite starts with a rename to the name that its row carries. */
function nameBefore(line: string, name: string): string | undefined {
  const end = ` was changed to ${name}`;
  return line.endsWith(end) ? line.slice(0, -end.length) : undefined;
}

const namedAfterVerb =
  /^(?:(?:commented on|reviewed|edited their review of|[Mm]arked|[Cc]lassified|added|Review for|All sources for|(?:Mode of inheritance|Mode of pathogenicity|Publications|Phenotypes|Penetrance|Transcript) for(?: gene)?) )?(?:(?<label>gene|STR|Region|Gene|Str): )?(?<name>[^\s:⟨]+)/;
const namedAtEnd = /(?:to|from|for) (?:(?<label>gene|STR|Region): )?(?<name>[^\s⟨]+?)\.?$/;

/**
 * Whom the first line may be about, where the row does not say. A guess only for the grammar to confirm.
 * Wordings without a label come from a time when panels held nothing but genes.
 */
function entitiesIn({ text }: Activity): Entity[] {
  const [first = ''] = text.split('\n', 1);
  return [namedAfterVerb, namedAtEnd].flatMap((pattern) => {
    const { label = 'gene', name } = pattern.exec(first)?.groups ?? {};
    const type = typeByLabel[label];
    return name && type ? [{ type, name }] : [];
  });
}

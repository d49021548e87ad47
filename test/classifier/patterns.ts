import type { Form, Part, Slot } from '../../lambdas/classifier/form.ts';
import { forms } from '../../lambdas/classifier/grammar/forms.ts';
import { match, namesOf, type Template } from '../../lambdas/classifier/template.ts';
import { type Entity, entityTypes } from '../../lambdas/events/schemas.ts';
import { entityOn, type RowFrame } from './corpus/row.ts';

/** A template of the grammar, and where it stands. */
export interface Placed {
  readonly form: Form;
  readonly part: Part;
  readonly template: Template;
}

/** Every template of the grammar; of one that several forms share, the first form. */
export const placed: readonly Placed[] = [
  ...new Map(
    forms
      .toReversed()
      .flatMap((form) =>
        partsOf(form).flatMap((part) =>
          part.templates.map((template) => [template, { form, part, template }] as const),
        ),
      ),
  ).values(),
];

/** Every pattern as the grammar has it. */
export const patterns: readonly RegExp[] = [
  ...new Map(placed.map(({ template: { pattern } }) => [String(pattern), pattern])).values(),
];

function partsOf({ within, slots }: Form): readonly Part[] {
  return [...(within ? [within] : []), ...slots.flatMap(({ parts }) => parts)];
}

/** A pattern, and how it names the entity. */
export function nameOf({ form, template: { pattern, source } }: Placed): string {
  const spelling = pattern.source.includes('⟨entity⟩') ? `, as ${source}` : '';
  return `${form.name}: ${pattern}${spelling}`;
}

/** The grammar without one template. */
export function without({ part, template }: Placed): readonly Form[] {
  const reduced = (other: Part): Part[] => {
    if (other !== part) return [other];
    const rest = other.templates.filter((one) => one !== template);
    return rest.length > 0 ? [{ ...other, templates: rest }] : [];
  };
  return forms.flatMap((form): Form[] => {
    if (form.within === part) return [];
    const slots = form.slots.map((slot): Slot => ({ ...slot, parts: slot.parts.flatMap(reduced) }));
    return [{ ...form, slots }];
  });
}

/** The pattern with the row's own names for its placeholders; null where the row has no such name. */
export function spelledOut({ pattern, source }: Template, frame: RowFrame): RegExp | null {
  const entity = knownEntityOn(frame);
  if (!entity && /⟨(?:label|Label|name)⟩/.test(source)) return null;
  const names = namesOf(entity, frame.panel_name);
  const named = source.replace(/⟨(label|Label|name|panel)⟩/g, (_, name: keyof typeof names) =>
    escaped(names[name] ?? ''),
  );
  return new RegExp(`^${named}$`, pattern.flags);
}

function knownEntityOn(frame: RowFrame): Entity | null {
  const entity = entityOn(frame);
  return entity && entityTypes.includes(entity.type) ? entity : null;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Whether the template matches the text on such a row. */
export function matches(template: Template, text: string, frame: RowFrame): boolean {
  return match(template, namesOf(knownEntityOn(frame), frame.panel_name), text) !== null;
}

import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { classifierOf } from '../../lambdas/classifier/classify.ts';
import type { Form } from '../../lambdas/classifier/form.ts';
import { forms } from '../../lambdas/classifier/grammar/forms.ts';

/** The forms without the templates that start with free text, as those yield to all others. */
const startingWithWords = forms.map(
  (form): Form => ({
    ...form,
    slots: form.slots.map((slot) => ({
      ...slot,
      parts: slot.parts.map((part) => ({
        ...part,
        templates: part.templates.filter(({ starts }) => !starts.includes('')),
      })),
    })),
  }),
);

const grammars = [startingWithWords, forms].map((grammar) => ({
  whole: classifierOf(grammar),
  without: new Map(
    grammar.map(({ name }) => [name, classifierOf(grammar.filter((form) => form.name !== name))]),
  ),
}));

/**
 * The names of the forms that read a row in full: two where the grammar does not say which one wrote it. A row of
 * nothing but tags on an STR or region may come from the edit form too, but then its tag would end in " tag".
 */
export function readingForms(activity: Activity): readonly string[] {
  for (const { whole, without } of grammars) {
    const reading = whole(activity);
    if (!reading || reading.unknown.length > 0) continue;
    const other = reading.form === 'tagsEdit' ? null : without.get(reading.form)?.(activity);
    const isAlike = other?.unknown.length === 0 && other.entity?.type === reading.entity?.type;
    return other && isAlike ? [reading.form, other.form] : [reading.form];
  }
  return [];
}

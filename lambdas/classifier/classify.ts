import type { Activity } from '../catalogue/schemas.ts';
import type { Entity } from '../events/schemas.ts';
import type { Composition } from './compose.ts';
import { derive } from './derive.ts';
import { type Draft, join } from './draft.ts';
import { forms } from './grammar/forms.ts';
import { type Grammar, grammarOf } from './grammar.ts';
import type { Heads } from './heads.ts';
import { typeByLabel } from './mention.ts';
import type { Plan } from './plan.ts';
import { readForm } from './read-form.ts';
import { panelOf, type Subject, subjectsOf } from './subject.ts';
import { type Groups, groupsIn } from './wording.ts';

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

const catalogue = grammarOf(forms);

/**
 * Reads one row of the activity log (interface specification, "Activity"). Pure and total: any text of any
 * size gives an answer in time linear in its length; null is the answer for a wording that is not known.
 */
export function classify(activity: Activity): Reading | null {
  return classifyBy(catalogue, activity);
}

/** The same by another grammar. */
export function classifyBy(grammar: Grammar, activity: Activity): Reading | null {
  const attempts = attemptsAt(activity, grammar);
  return readAs(attempts, false) ?? readAs(attempts, true);
}

/** What starts with free text is tried only on what no form reads that starts with words. */
function readAs(attempts: readonly Attempt[], partial: boolean): Reading | null {
  for (const attempt of attempts) {
    for (const plan of attempt.plans.startingWith(attempt.activity.text, 0)) {
      const reading = readBy(plan, attempt, partial);
      if (reading) return reading;
    }
    for (const plan of attempt.plans.startingFreely) {
      const reading = readBy(plan, attempt, partial);
      if (reading) return reading;
    }
  }
  return null;
}

/** Every form that reads the row in full; more than one is a fault of the grammar. */
export function readingForms(activity: Activity): readonly string[] {
  for (const attempt of attemptsAt(activity, catalogue)) {
    const { startingWith, startingFreely } = attempt.plans;
    for (const plans of [startingWith(activity.text, 0), startingFreely]) {
      const found = plans.flatMap((plan) => readBy(plan, attempt, false)?.form ?? []);
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** A way to look at a row. */
interface Attempt {
  readonly activity: Activity;
  readonly subject: Subject;
  readonly entity: Entity | null;
  readonly plans: Heads<Plan>;
}

/** The ways to look at a row; more than one where it does not say what it is about. */
function attemptsAt(activity: Activity, grammar: Grammar): readonly Attempt[] {
  const { item_type, entity_name } = activity;
  const asPanel = (): Attempt => ({
    activity,
    subject: panelOf(activity),
    entity: null,
    plans: grammar.panel,
  });
  if (item_type === 'panel') return [asPanel()];
  const asEntity = subjectsOf(activity, grammar).map((subject): Attempt => {
    const { entity } = subject;
    return { activity, subject, entity, plans: grammar.entity.get(entity?.type ?? null) ?? grammar.panel };
  });
  return item_type === 'entity' || entity_name !== null ? asEntity : [asPanel(), ...asEntity];
}

function readBy(plan: Plan, attempt: Attempt, partial: boolean): Reading | null {
  const composition = readForm(plan, attempt.activity.text, attempt.subject, partial);
  return composition && readingOf(plan, composition, attempt);
}

function readingOf(plan: Plan, { parts, unknown }: Composition, attempt: Attempt): Reading | null {
  const { within, name: form } = plan.form;
  let draft: Draft | null = within ? within.read('', attempt, noGroups) : null;
  let { entity } = attempt;
  for (const { place, words } of parts) {
    if (words === null) continue;
    const groups = groupsIn(place.middle, words);
    const first = groups ? Object.values(groups)[0] : words;
    const stated = place.part.read(first ?? '', attempt, groups ?? noGroups);
    if (!stated) return null;
    draft = draft ? join(draft, stated) : stated;
    if (groups) entity ??= entityIn(groups);
  }
  return draft && { form, entity, draft: derive(draft), unknown };
}

const noGroups: Groups = {};

/** The entity that a panel-level text names. */
function entityIn({ type, entity }: Groups): Entity | null {
  const known = typeByLabel[type ?? ''];
  return known && entity ? { type: known, name: entity } : null;
}

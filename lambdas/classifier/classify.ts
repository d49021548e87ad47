import type { Activity } from '../catalogue/schemas.ts';
import type { Entity } from '../events/schemas.ts';
import { derive } from './derive.ts';
import { type Draft, join } from './draft.ts';
import { forms } from './grammar/forms.ts';
import { type Grammar, grammarOf } from './grammar.ts';
import type { Heads } from './heads.ts';
import { typeByLabel } from './mention.ts';
import type { Plan } from './plan.ts';
import { readForm, type Text } from './read-form.ts';
import { nobody, type Subject, subjectsOf } from './subject.ts';
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
  return (
    firstOf(attempts, (attempt) => readBySome(attempt, false)) ??
    firstOf(attempts, (attempt) => readBySome(attempt, true))
  );
}

/** Every form that reads the row in full; more than one is a fault of the grammar. */
export function readingForms(activity: Activity): readonly string[] {
  const found = firstOf(attemptsAt(activity, catalogue), (attempt) => {
    const names = (plans: readonly Plan[]): string[] =>
      plans.flatMap((plan) => readBy(plan, attempt, false)?.form ?? []);
    const byWords = names(attempt.plans.startingWith(activity.text, 0));
    const all = byWords.length > 0 ? byWords : names(attempt.plans.startingFreely);
    return all.length > 0 ? all : null;
  });
  return found ?? [];
}

/** A way to look at a row. */
interface Attempt {
  readonly activity: Activity;
  readonly text: Text;
  readonly subject: Subject;
  readonly plans: Heads<Plan>;
}

/** The ways to look at a row; more than one where it does not say what it is about. */
function attemptsAt(activity: Activity, grammar: Grammar): readonly Attempt[] {
  const { item_type, entity_name } = activity;
  const text: Text = { text: activity.text };
  const asPanel: Attempt = { activity, text, subject: nobody, plans: grammar.panel };
  if (item_type === 'panel') return [asPanel];
  const asEntity = subjectsOf(activity, grammar).map((subject): Attempt => {
    const plans = grammar.entity.get(subject.entity?.type ?? null) ?? grammar.panel;
    return { activity, text, subject, plans };
  });
  return item_type === 'entity' || entity_name !== null ? asEntity : [asPanel, ...asEntity];
}

/** What starts with free text is tried only on what no form reads that starts with words. */
function readBySome(attempt: Attempt, partial: boolean): Reading | null {
  const { startingWith, startingFreely } = attempt.plans;
  const read = (plan: Plan): Reading | null => readBy(plan, attempt, partial);
  return firstOf(startingWith(attempt.activity.text, 0), read) ?? firstOf(startingFreely, read);
}

function firstOf<T, Result>(all: readonly T[], make: (one: T) => Result | null): Result | null {
  for (const one of all) {
    const made = make(one);
    if (made !== null) return made;
  }
  return null;
}

function readBy(plan: Plan, { activity, text, subject }: Attempt, partial: boolean): Reading | null {
  const composition = readForm(plan, text, { subject, partial });
  if (!composition) return null;
  const { entity } = subject;
  const within = plan.form.within?.read('', { activity, entity, groups: noGroups });
  const drafts: Draft[] = within ? [within] : [];
  let named: Entity | null = null;
  for (const { place, words } of composition.parts) {
    const groups = groupsIn(place.wording.middle, words);
    const first = groups ? (Object.values(groups)[0] ?? '') : words;
    const draft = place.part.read(first, { activity, entity, groups: groups ?? noGroups });
    if (!draft) return null;
    drafts.push(draft);
    if (groups) named ??= entityIn(groups);
  }
  return {
    form: plan.form.name,
    entity: named ?? entity,
    draft: derive(join(drafts)),
    unknown: composition.unknown,
  };
}

const noGroups: Groups = {};

/** The entity that a panel-level text names. */
function entityIn({ type, entity }: Groups): Entity | null {
  const known = typeByLabel[type ?? ''];
  return known && entity ? { type: known, name: entity } : null;
}

import type { Activity } from '../catalogue/schemas.ts';
import type { Entity } from '../events/schemas.ts';
import { type Composition, compose, composeAlone } from './compose.ts';
import { derive } from './derive.ts';
import { type Draft, join } from './draft.ts';
import type { Form } from './form.ts';
import { type Subject, typeByLabel } from './mention.ts';
import { cut } from './pieces.ts';
import type { Plan } from './plan.ts';
import { plansFor } from './plans.ts';
import { subjectsOf } from './subject.ts';
import { type Groups, skipWords } from './wording.ts';

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
  const attempts = attemptsAt(activity);
  return (
    first(attempts, (attempt) => readAs(attempt, false)) ??
    first(attempts, (attempt) => readAs(attempt, true))
  );
}

/** Every form that reads the row in full; more than one is a fault of the grammar. */
export function readingForms(activity: Activity): readonly string[] {
  const found = first(attemptsAt(activity), (attempt) => {
    const { startingWith, startingFreely } = plansFor(attempt.level, attempt.subject?.type ?? null);
    const readBySome = (plans: readonly Plan[]): string[] | null => {
      const names = plans.flatMap((plan) => readBy(plan, attempt, false)?.form ?? []);
      return names.length > 0 ? names : null;
    };
    return readBySome(startingWith(activity.text, 0)) ?? readBySome(startingFreely);
  });
  return found ?? [];
}

/** A way to look at a row. */
interface Attempt {
  readonly activity: Activity;
  readonly level: Form['level'];
  readonly subject: Subject | null;
}

/** The ways to look at a row; more than one where it does not say what it is about. */
function attemptsAt(activity: Activity): readonly Attempt[] {
  const { item_type, entity_name } = activity;
  const asPanel: Attempt = { activity, level: 'panel', subject: null };
  if (item_type === 'panel') return [asPanel];
  const asEntity = subjectsOf(activity).map((subject): Attempt => ({ activity, level: 'entity', subject }));
  return item_type === 'entity' || entity_name !== null ? asEntity : [asPanel, ...asEntity];
}

/** What starts with free text is tried only on what no form reads that starts with words. */
function readAs(attempt: Attempt, partial: boolean): Reading | null {
  const { startingWith, startingFreely } = plansFor(attempt.level, attempt.subject?.type ?? null);
  return (
    first(startingWith(attempt.activity.text, 0), (plan) => readBy(plan, attempt, partial)) ??
    first(startingFreely, (plan) => readBy(plan, attempt, partial))
  );
}

function first<T, Result>(all: readonly T[], make: (one: T) => Result | null): Result | null {
  for (const one of all) {
    const made = make(one);
    if (made !== null) return made;
  }
  return null;
}

function readBy(plan: Plan, { activity, subject }: Attempt, partial: boolean): Reading | null {
  const composition = composeBy(plan, activity.text, subject, partial);
  if (!composition) return null;
  const entity = subject && { type: subject.type, name: subject.name };
  const drafts: Draft[] = [];
  let named: Entity | null = null;
  for (const { part, groups } of composition.parts) {
    const draft = part.read(groups, { activity, entity });
    if (!draft) return null;
    drafts.push(draft);
    named ??= entityIn(groups);
  }
  return {
    form: plan.form.name,
    entity: named ?? entity,
    draft: derive(join(drafts)),
    unknown: composition.unknown,
  };
}

function composeBy(plan: Plan, text: string, subject: Subject | null, partial: boolean): Composition | null {
  const { within, separator } = plan.form;
  if (plan.alone) {
    const found = partial ? null : composeAlone(text, plan.alone, subject);
    return found && { parts: [found], unknown: [] };
  }
  if (!within) return compose(cut(text, separator), { plan, subject, partial });
  for (const { head } of within.wordings) {
    const at = skipWords(text, 0, head, subject);
    const composition = at === -1 ? null : compose(cut(text, separator, at), { plan, subject, partial });
    if (composition) return { ...composition, parts: [{ part: within, groups: {} }, ...composition.parts] };
  }
  return null;
}

/** The entity that a panel-level text names. */
function entityIn({ type, entity }: Groups): Entity | null {
  const known = typeByLabel[type ?? ''];
  return known && entity ? { type: known, name: entity } : null;
}

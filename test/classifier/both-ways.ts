import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import { skipWords } from '../../lambdas/classifier/addressed.ts';
import { compose } from '../../lambdas/classifier/compose.ts';
import type { Fit } from '../../lambdas/classifier/fit.ts';
import { forms } from '../../lambdas/classifier/grammar/forms.ts';
import { grammarOf } from '../../lambdas/classifier/grammar.ts';
import { cut } from '../../lambdas/classifier/pieces.ts';
import { composePlainly } from '../../lambdas/classifier/plain.ts';
import { type Plan, planOf } from '../../lambdas/classifier/plan.ts';
import { panelOf, type Subject, subjectsOf } from '../../lambdas/classifier/subject.ts';

const grammar = grammarOf(forms);

/** What comes of reading plainly, and of weighing every piece. */
interface Reading {
  readonly plain: unknown;
  readonly composed: unknown;
}

/** Both ways of reading a row, by every composite form that can read it plainly. */
export function bothWays(activity: Activity): readonly Reading[] {
  const onPanel = activity.item_type === 'panel';
  const subjects = onPanel ? [panelOf(activity)] : subjectsOf(activity, grammar);
  return subjects.flatMap((subject) => {
    const type = subject.entity?.type ?? null;
    return forms
      .filter(
        ({ level, types }) => (level === 'panel') === onPanel && (onPanel || !type || types.includes(type)),
      )
      .map((form) => planOf(form, type))
      .filter(({ single }) => !single)
      .flatMap((plan) => readings(plan, activity.text, subject));
  });
}

function readings(plan: Plan, text: string, subject: Subject): readonly Reading[] {
  const at = plan.intro ? skipWords(text, 0, plan.intro, subject.first) : 0;
  const plain = at === -1 ? null : composePlainly(text, at, plan, subject);
  if (plain === null || plain === 'doubtful') return [];
  const told = brief(plain);
  const pieces = cut(text, plan.form.separator, at);
  return [{ plain: told, composed: brief(compose(pieces, { plan, subject, partial: false })?.parts ?? []) }];
}

function brief(parts: readonly Fit[]): unknown {
  return parts.map(({ place, from, words }) => [place.rank, from, words]);
}

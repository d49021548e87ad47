import type { Hono } from 'hono';
import { comment } from '../../lambdas/worklist/comment.ts';
import { worklistStateForms, worklistStates } from '../../lambdas/worklist/worklist-states.ts';
import type { RouteContext } from '../route-context.ts';
import { decideAudited, nameInDecisions } from './decide-audited.ts';
import { mayDecide } from './decision-form.ts';
import { outcomeView } from './outcome-view.ts';
import { noWorklist, worklistOf } from './worklist-of.ts';

/** What deciders send: comments on an entry, and decisions about one entry or many. */
export function addWorklistForms(app: Hono, context: RouteContext): void {
  const { clock } = context;

  app.post('/worklist/comment', async ({ req, redirect }) => {
    const { person } = context.visitor();
    if (person === null || !mayDecide(context.visitor())) {
      return context.refuse(
        'You may not comment',
        'Deciders comment on entries; your role is another one.',
        403,
      );
    }
    const { entry: id, text } = await req.parseBody();
    if (typeof id !== 'string' || typeof text !== 'string') {
      return context.refuse('Nothing was kept', 'Write a comment on an entry.', 400);
    }
    const worklist = await worklistOf(context);
    if (!worklist || !context.worklist) return noWorklist(context);
    const entry = worklist.entries.find((each) => each.id === id);
    if (!entry) return context.refuse('No such entry', 'The worklist has no entry of this id.', 404);
    const audited = { person: person.id, entry: entry.id };
    await context.audit?.write({ action: 'comments', ...audited, name: person.name });
    const said = { by: nameInDecisions(person), text };
    const outcome = await comment(entry, said, { store: context.worklist.store, clock });
    await context.audit?.write({ action: 'commented', ...audited, outcome: outcome.kind });
    if (outcome.kind === 'refused') return context.refuse('Nothing was kept', outcome.sentence, 400);
    return redirect(`/worklist/${entry.id}`, 303);
  });

  app.post('/worklist/decide', async ({ req }) => {
    const { person } = context.visitor();
    if (person === null || !mayDecide(context.visitor())) {
      return context.refuse(
        'You may not decide',
        'Deciders decide about entries; your role is another one.',
        403,
      );
    }
    const { entry: given = [], state: wanted, why } = await req.parseBody({ all: true });
    const state = worklistStates.find((each) => each === wanted);
    const chosen = [given].flat().filter((text) => typeof text === 'string');
    if (state === undefined || typeof why !== 'string' || why.trim() === '' || chosen.length === 0) {
      return context.refuse(
        'Nothing was decided',
        'Choose at least one entry and a state, and give a reason.',
        400,
      );
    }
    const worklist = await worklistOf(context);
    if (!worklist || !context.worklist) return noWorklist(context);
    const outcomes = await decideAudited(
      { person, state, why, chosen },
      { entries: worklist.entries, store: context.worklist.store, audit: context.audit, clock },
    );
    const isDone = outcomes.every(
      ({ outcome }) => outcome?.kind === 'decided' || outcome?.kind === 'decided-before',
    );
    return context.answer(
      {
        title: isDone ? 'Decided' : 'Not everything was decided',
        current: 'worklist',
        main: outcomeView(outcomes, worklistStateForms[state].words),
      },
      isDone ? 200 : 409,
    );
  });
}

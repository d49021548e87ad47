import type { Hono } from 'hono';
import { isByPerson } from '../access/by-person.ts';
import type { Person } from '../access/person.ts';
import { unknownNames } from '../names/unknown-names.ts';
import type { RouteContext } from '../route-context.ts';
import { myPanelsView } from './my-panels-view.ts';

/** More panels would make an address that the page refuses. */
const MOST_PANELS = 100;

/** The panels that a person chose, and what is new on them since the last visit. */
export function addMyPanelsRoutes(app: Hono, context: RouteContext): void {
  const { notes } = context;
  /** Without a sign-in, no panels are kept. */
  const signedIn = (): Person | null => (notes ? context.visitor().person : null);
  const refused = (): Promise<Response> =>
    context.refuse('Your panels are not kept', 'The page keeps panels of people who sign in.', 404);

  app.get('/my-panels', async ({ req }) => {
    const person = signedIn();
    if (!notes || !person) return refused();
    const before = await notes.visit(person.id, isByPerson(req.raw));
    const panels = await notes.panelsOf(person.id);
    const names = await context.names();
    const unknown = await unknownNames(context, { values: { panel: panels } }, names);
    return context.answer({
      title: 'My panels',
      current: 'my-panels',
      main: myPanelsView({ panels, names, unknown, before, visitor: context.visitor() }, context.moment()),
    });
  });

  app.post('/my-panels', async ({ req, redirect }) => {
    const person = signedIn();
    if (!notes || !person) return refused();
    const form = await req.parseBody({ all: true });
    const textOf = (name: string): string => {
      const [last] = [form[name] ?? '']
        .flat()
        .filter((value) => value !== '')
        .slice(-1);
      return typeof last === 'string' ? last.trim() : '';
    };
    const [added, removed] = [textOf('panel'), textOf('remove')];
    if (removed !== '') await notes.removePanel(person.id, removed);
    if (added !== '') {
      const names = await context.names();
      const [wrong] = await unknownNames(context, { values: { panel: [added] } }, names);
      if (wrong) {
        const offers = wrong.offers.map(({ label }) => label).join(', ');
        const near = offers === '' ? '' : ` Names like it: ${offers}.`;
        return context.refuse(wrong.sentence, `It was not added to your panels.${near}`, 404);
      }
      if (added.length > 200 || (await notes.panelsOf(person.id)).length >= MOST_PANELS) {
        return context.refuse(
          'Too many panels',
          `You can choose ${MOST_PANELS} panels. Remove one first.`,
          400,
        );
      }
      await notes.addPanel(person.id, added);
    }
    return redirect('/my-panels', 303);
  });
}

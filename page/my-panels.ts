import type { Hono } from 'hono';
import { panelKey, panelsNamed } from '../lambdas/filters/names.ts';
import { namesIn } from '../lambdas/store/history/unknown-names.ts';
import { type Html, html } from './html.ts';
import { nameField, unknownNames } from './names.ts';
import type { RouteContext } from './route-context.ts';
import { isByPerson, type Person } from './sign-in/access.ts';

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
    const main = await myPanelsView(await notes.panelsOf(person.id), before, context);
    return context.answer({ title: 'My panels', current: 'my-panels', main });
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
      const [wrong] = await unknownNames(context, { panel: [added] }, names);
      if (wrong) {
        const offers = wrong.offers.map(({ label }) => label).join(', ');
        const near = offers === '' ? '' : ` Names like it: ${offers}.`;
        return context.refuse(wrong.sentence, `It was not added to your panels.${near}`, 404);
      }
      const chosen = await notes.panelsOf(person.id);
      const book = await namesIn(context.place);
      const panelsOf = (value: string): string =>
        panelsNamed(book, value)
          .map(({ catalogue, id }) => panelKey(catalogue, id))
          .sort()
          .join();
      const named = panelsOf(added);
      if (named !== '' && chosen.some((value) => panelsOf(value) === named))
        return redirect('/my-panels', 303);
      if (added.length > 200 || chosen.length >= MOST_PANELS) {
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

/** @param before when the person was here before, in milliseconds since the epoch; null at the first visit */
async function myPanelsView(
  panels: readonly string[],
  before: number | null,
  context: RouteContext,
): Promise<Html> {
  const { times } = context;
  const visitor = context.visitor();
  const names = await context.names();
  const unknown = await unknownNames(context, { panel: panels }, names);
  const token = html`<input type="hidden" name="token" value="${visitor.formToken}">`;
  return html`<div class="page">
<h1>My panels</h1>
${panels.length === 0 ? html`<p>You have chosen no panel yet.</p>` : linksView(panels, before === null ? null : times.iso(before))}
${before === null ? '' : html`<p class="fine">Your last visit was on ${times.moment(before)}. The list of changes begins with that day; a change that is published late may have an older date: <a href="${changesAddress(panels, { late: 'true', since: '90d' })}">late changes of 90 days</a>.</p>`}
${unknown.map(({ sentence }) => html`<p class="warning">${sentence} Remove it, and choose the panel again.</p>`)}
<ul class="my-panels">${panels.map(
    (panel) =>
      html`<li><form action="/my-panels" method="post" class="inline">${token}<input type="hidden" name="remove" value="${panel}"><a href="${changesAddress([panel], { since: '365d' })}">${names.labelOf('panel', panel)}</a> <button>Remove<span class="unseen"> ${names.labelOf('panel', panel)}</span></button></form></li>`,
  )}</ul>
<form action="/my-panels" method="post" class="inline">${token}
${nameField({ name: 'panel', label: 'Panel', given: [], prefix: 'm' })}
<p class="buttons"><button>Add</button></p>
</form>
</div>`;
}

function linksView(panels: readonly string[], day: string | null): Html {
  const worklist = String(new URLSearchParams(panels.map((panel) => ['panel', panel] as [string, string])));
  return html`<p class="links">${
    day === null
      ? html`<a href="${changesAddress(panels, { since: '30d' })}">Changes of the last 30 days</a>`
      : html`<a href="${changesAddress(panels, { since: day })}">Changes since your last visit</a>`
  } <a href="/worklist?${worklist}&amp;change=now-green&amp;since=monday&amp;sort=panel">Turned green this week</a> <a href="/worklist?${worklist}">Worklist</a> <a href="/compare?${worklist}">Not signed off</a></p>`;
}

const changesAddress = (panels: readonly string[], rest: Readonly<Record<string, string>>): string =>
  `/?${new URLSearchParams([...panels.map((panel) => ['panel', panel] as [string, string]), ...Object.entries(rest)])}`;

import type { Locator, Page, Response } from 'playwright-core';

/** What a person writes in a field, by its name. */
const written: Readonly<Record<string, string>> = {
  q: 'BRCA1',
  panel: '635',
  gene: 'BRCA1',
  'r-code': 'R208',
  version: '4.12',
  why: 'Two cases',
  text: 'Asked the clinic',
  to: '',
  name: 'LIMS import',
};
/** A version does not go with the day or the signed-off version that the walk asks for beside it. */
const leftEmpty: Readonly<Record<string, string>> = { '/state': 'version' };
const cases = {
  name: 'cases.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('case,panel,version\na,635,4.0\n'),
};
/** Views that differ in what their address asks for are opened so many times. */
const MOST_ADDRESSES = 6;

/** A way to send a form of the page: its address, its fields and the button. */
type FormKey = string;

interface Walk {
  /** The status of each view that was opened, by its address. */
  readonly views: ReadonlyMap<string, number>;
  /** The status of the answer to each form that was found. */
  readonly forms: ReadonlyMap<FormKey, number>;
}

interface Field {
  readonly index: number;
  readonly kind: string;
  readonly name: string;
  readonly required: boolean;
}
interface Form {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly Field[];
  readonly buttons: readonly { readonly words: string; readonly path: string }[];
}

/** Forms, as a browser has them; a field or button may stand elsewhere and name its form. */
const readForms = `[...document.forms].map((form) => {
  const all = [...form.elements];
  const seen = (each) => each.checkVisibility() && !each.disabled && each.type !== 'hidden';
  const isButton = ({ type }) => type === 'submit' || type === 'button';
  return {
    method: form.method,
    path: new URL(form.action).pathname,
    fields: all.map((each, index) => ({ each, index })).filter(({ each }) => seen(each) && !isButton(each) && each.name)
      .map(({ each, index }) => ({ index, kind: each.type, name: each.name, required: each.required })),
    buttons: all.filter((each) => each.type === 'submit' && seen(each)).map((each) => ({ words: each.textContent.trim(), path: new URL(each.hasAttribute('formaction') ? each.formAction : form.action).pathname })),
  };
})`;

/**
 * Follows the links of the page from its first view on, and sends each form that it finds as a person would, by each of
 * its buttons; the way out comes last.
 * @param routeOf the route that answers a path; null where there is none
 * @throws {Error} when a form has a field that a person must fill and this walk cannot
 */
export async function walkForms(
  page: Page,
  origin: string,
  routeOf: (path: string) => string | null,
): Promise<Walk> {
  const views = new Map<string, number>();
  const forms = new Map<FormKey, number>();
  const asked = new Map<string, Set<string>>();
  const addresses: string[] = [];

  /** Adds the links of the view that is open, unless their like was opened. */
  async function collectLinks(): Promise<void> {
    const links = (await page.evaluate(
      '[...document.querySelectorAll("a:not([download])")].filter((link) => link.pathname !== location.pathname || !link.hash).map(({ href }) => href)',
    )) as readonly string[];
    for (const link of links) {
      const { origin: of, pathname, searchParams } = new URL(link);
      const route = routeOf(pathname);
      if (of !== origin || route === null) continue;
      const known = asked.get(route) ?? new Set();
      asked.set(route, known);
      const kind = [...new Set(searchParams.keys())].sort().join();
      if (known.has(kind) || known.size === MOST_ADDRESSES) continue;
      known.add(kind);
      addresses.push(link);
    }
  }

  async function open(address: string): Promise<boolean> {
    // A file to save opens no view.
    const response = await page.goto(address).catch((error: Error) => {
      if (error.message.includes('Download is starting')) return null;
      throw error;
    });
    if (response === null) return false;
    views.set(address, response.status());
    await collectLinks();
    return true;
  }

  /** Sends the first form of the open view that was not sent yet, and returns whether there was one. */
  async function sendNext(isLast: boolean): Promise<boolean> {
    const found = (await page.evaluate(readForms)) as readonly Form[];
    for (const [index, form] of found.entries()) {
      if ((form.path === '/sign-out') !== isLast) continue;
      for (const [nth, { words: button, path }] of form.buttons.entries()) {
        const route = routeOf(path) ?? path;
        const names = [...new Set(form.fields.map(({ name }) => name))].sort();
        const key = `${form.method} ${route} (${names.join(', ')}) ${button.replace(/^(Remove).*/s, '$1')}`;
        if (forms.has(key)) continue;
        const here = page.locator('form').nth(index);
        await fill(here, form, key);
        forms.set(key, (await send(here, nth)).status());
        await collectLinks();
        return true;
      }
    }
    return false;
  }

  async function send(form: Locator, button: number): Promise<Response> {
    const [answer] = await Promise.all([
      page.waitForResponse(
        (response) =>
          response.request().isNavigationRequest() && (response.status() < 300 || response.status() > 399),
      ),
      form.locator('button:not([type="button"])').nth(button).click(),
    ]);
    await page.waitForLoadState();
    return answer;
  }

  addresses.push(`${origin}/`);
  for (let address = addresses.shift(); address !== undefined; address = addresses.shift()) {
    while ((await open(address)) && (await sendNext(false))) {
      // What an answer shows may have forms of its own.
      while (await sendNext(false));
    }
  }
  await page.goto(`${origin}/`);
  await sendNext(true);
  return { views, forms };
}

async function fill(form: Locator, { path, fields }: Form, key: FormKey): Promise<void> {
  const chosen = new Set<string>();
  for (const { index, kind, name, required } of fields) {
    const field = form.locator('input, select, textarea, button, fieldset, output, object').nth(index);
    if (kind === 'file') await field.setInputFiles(cases);
    else if (kind === 'checkbox' && name === 'entry') {
      if (!chosen.has(name)) await field.check();
      chosen.add(name);
    } else if (kind === 'select-one') {
      if (required) await field.selectOption({ index: 1 });
    } else if (kind === 'textarea' || kind === 'text' || kind === 'search') {
      const text = leftEmpty[path] === name ? undefined : written[name];
      if (text !== undefined) await field.fill(text);
      else if (required) throw new Error(`What does a person write in “${name}” of ${key}? Add it.`);
    } else if (required && kind !== 'date') {
      throw new Error(`The walk cannot fill the ${kind} “${name}” of ${key}. Teach it.`);
    }
  }
}

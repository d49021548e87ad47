import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { teamsMessage } from '../lambdas/channels/adaptive-card.ts';
import { htmlText } from '../lambdas/words/html-page.ts';
import { mailHtml, mailSubject, mailText } from '../lambdas/words/mail.ts';
import type { Notice } from '../lambdas/words/notice.ts';
import { chatForms } from '../page/event/chat-forms.ts';
import { ratingVariables } from '../page/html.ts';
import { readStyle } from '../page/layout.ts';
import { messageExamples } from './message-examples.ts';
import { openChromium } from './open-chromium.ts';

/**
 * Takes pictures of mails, and of every chat that has a look on the page, for docs/guides/messages.md: `npm run pictures:messages`.
 */
const folder = join(import.meta.dirname, '..', 'docs', 'images');

const phone = { width: 390, height: 200 };
const desktop = { width: 800, height: 200 };
const browser = await openChromium();
try {
  await mkdir(folder, { recursive: true });
  const { one, late, several, digest, lag, signOff, problem, recovery } = messageExamples();
  await picture(browser, 'mail-phone', { html: mailHtml(one), viewport: phone });
  await picture(browser, 'mail-phone-dark', { html: mailHtml(one), viewport: phone, dark: true });
  await picture(browser, 'mail-bundle-phone', { html: mailHtml(several), viewport: phone });
  await picture(browser, 'mail-desktop', { html: mailHtml(one), viewport: desktop });
  await picture(browser, 'mail-late-phone', { html: mailHtml(late), viewport: phone });
  await picture(browser, 'mail-digest-phone', { html: mailHtml(digest), viewport: phone });
  await picture(browser, 'mail-sign-off-lag-phone', { html: mailHtml(lag), viewport: phone });
  await picture(browser, 'mail-sign-off-phone', { html: mailHtml(signOff), viewport: phone });
  await picture(browser, 'mail-problem-phone', { html: mailHtml(problem), viewport: phone });
  await picture(browser, 'mail-recovery-phone', { html: mailHtml(recovery), viewport: phone });
  for (const { kind, preview } of chatForms.filter(({ kind }) => kind !== 'teams')) {
    const shot = async (notice: Notice): Promise<Shot> => ({
      html: chatPage(String(await preview(notice))),
      viewport: { width: 640, height: 200 },
    });
    await picture(browser, `${kind}-message`, await shot(one));
    if (kind !== 'slack') continue;
    await picture(browser, 'slack-message-bundle', await shot(several));
    await picture(browser, 'slack-message-digest', await shot(digest));
  }
  for (const [name, notice] of Object.entries({ 'teams-card': one, 'teams-card-bundle': several })) {
    await picture(browser, name, {
      html: cardPage(),
      viewport: { width: 560, height: 200 },
      card: teamsMessage(notice).attachments[0].content,
    });
  }
  await picture(browser, 'mail-digest-desktop', { html: mailHtml(digest), viewport: desktop });
  await picture(browser, 'mail-text-phone', {
    html: `<meta name="viewport" content="width=device-width"><pre style="margin:16px;font:14px/1.45 monospace;white-space:pre-wrap;overflow-wrap:anywhere"><b>${htmlText(`Subject: ${mailSubject(one)}`)}</b>\n\n${htmlText(mailText(one))}</pre>`,
    viewport: phone,
  });
} finally {
  await browser.close();
}

interface Shot {
  readonly html: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly dark?: boolean;
  /** An Adaptive Card that the page renders. */
  readonly card?: object;
}

async function picture(
  within: Browser,
  name: string,
  { html, viewport, dark = false, card }: Shot,
): Promise<void> {
  const page = await within.newPage({ viewport, colorScheme: dark ? 'dark' : 'light' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.setContent(html);
  if (card) await renderCard(page, card);
  const png = await page.screenshot({ fullPage: true });
  if (asked.length > 0) throw new Error(`${name} asks for something from outside: ${asked.join(', ')}`);
  await writeFile(join(folder, `${name}.png`), png);
  process.stdout.write(`docs/images/${name}.png, ${png.length} bytes\n`);
  await page.close();
}

/** A message in the look that the page gives it: chats have no renderer to install, but for the cards of Teams. */
function chatPage(preview: string): string {
  return `<meta charset="utf-8"><style>${ratingVariables()}${readStyle()}body{display:block;padding:14px}</style>${preview}`;
}

function cardPage(): string {
  const library = createRequire(import.meta.url).resolve('adaptivecards/dist/adaptivecards.min.js');
  return `<style>body{margin:12px;font:14px/1.4 "Segoe UI",Roboto,Arial,sans-serif;background:#fff}#card{border:1px solid #ddd;border-radius:6px;padding:4px}</style>
<div id="card"></div><script>${readFileSync(library, 'utf8').replaceAll('</script', '<\\/script')}</script>`;
}

async function renderCard(page: Page, card: object): Promise<void> {
  await page.evaluate(
    `(() => {
      const made = new AdaptiveCards.AdaptiveCard();
      made.hostConfig = new AdaptiveCards.HostConfig({ fontFamily: 'Segoe UI, Roboto, Arial, sans-serif' });
      made.parse(${JSON.stringify(card)});
      document.getElementById('card').append(made.render());
    })()`,
  );
}

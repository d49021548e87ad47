import { html } from 'hono/html';
import type { User } from './tenants.ts';

/** The page on which a person chooses a user to sign in as. The sandbox has no passwords. */
export function chooseUserPage(application: string, users: readonly User[]): Response {
  const choices = users.map(({ name, objectId, attributes }) => {
    const facts = Object.entries(attributes).map(
      ([key, value]) => `${key}: ${[value].flat().join(', ') || 'none'}`,
    );
    return html`<li><button name="user" value="${objectId}">${name}</button> ${facts.join(' · ')}</li>`;
  });
  return page(
    200,
    html`<h1>Sign in to ${application}</h1>
      <p>This is the sandbox's identity provider. Choose one of its made-up users.</p>
      <form method="post"><ul>${choices}</ul><button name="user" value="">Cancel</button></form>`,
  );
}

/** The page that is shown where the browser cannot be redirected to the application. */
export function problemPage(problem: string): Response {
  return page(400, html`<h1>The sign-in cannot continue</h1><p>${problem}</p>`);
}

function page(status: number, body: ReturnType<typeof html>): Response {
  const whole = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox sign-in</title><main>${body}</main></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  return new Response(String(whole), { status, headers });
}

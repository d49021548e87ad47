import type { SignOff } from '../../lambdas/panels/version-state.ts';
import { versionAddress } from '../../lambdas/questions/addresses.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes } from '../frame/local-times.ts';

interface Place {
  readonly catalogue: string;
  readonly id: number;
  readonly times: LocalTimes;
}

/** The versions of a panel that were signed off, as far as the list of signed-off versions was read, the newest first. */
export function signOffsView(signOffs: readonly SignOff[], { catalogue, id, times }: Place): Html {
  if (signOffs.length === 0) return html``;
  return html`<h2 id="signed-off">Signed-off versions</h2>
<table class="plain"><thead><tr><th scope="col">Version</th><th scope="col">Signed off</th><th scope="col">Sign-off removed</th></tr></thead><tbody>
${signOffs.toReversed().map(
  ({ version, date, removedAt }) =>
    html`<tr><th scope="row"><a href="${versionAddress(catalogue, id, version)}">${cleanLine(version)}</a></th><td>${times.shortDay(date)}</td><td>${removedAt === null ? '' : html`found on ${times.shortDay(times.day(Number(removedAt / 1000n)))}`}</td></tr>
`,
)}</tbody></table>
<p><a href="/compare?panel=${id}">What waits for the next sign-off</a></p>`;
}

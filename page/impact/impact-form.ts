import { fieldNames } from '../../lambdas/questions/impact/case-columns.ts';
import type { Visitor } from '../access/access.ts';
import { type Html, html } from '../frame/html.ts';
import { answerForms, countChoices, dateChoices } from './impact-question.ts';
import { IMPACT_PATH, LARGEST_UPLOAD, MOST_LINES } from './upload-bounds.ts';

/** The form for a file of cases. @param catalogues whose panels the cases may have been analysed with */
export function impactForm({ formToken }: Visitor, catalogues: readonly string[]): Html {
  return html`<form action="${IMPACT_PATH}" method="post" enctype="multipart/form-data" class="upload">
<input type="hidden" name="token" value="${formToken}">
<p class="field"><label for="i-cases">File of cases</label><input id="i-cases" type="file" name="cases" accept=".csv,.tsv,.txt,.ndjson,.jsonl" required aria-describedby="i-note"></p>
<p class="fine" id="i-note">CSV with headings, or one JSON object a line (.ndjson): case, panel, and the version, the day of the analysis, or both. At most ${MOST_LINES.toLocaleString('en-GB')} lines and ${LARGEST_UPLOAD / 1_000_000} MB. The file is read in memory, for this answer alone: nothing of it is kept.</p>
${catalogues.length < 2 ? '' : selectField('catalogue', 'Catalogue', Object.fromEntries(catalogues.map((name) => [name, name])))}
${selectField('counts', 'What counts now', countChoices)}
<p class="field"><label><input type="checkbox" name="without-inheritance" value="yes"> Leave out green genes whose mode of inheritance changed</label></p>
${selectField('as', 'Show the answer', answerForms)}
<details><summary>Other headings, or days that can be read in two ways</summary>
${selectField('date-format', 'Days are written', dateChoices)}
${fieldNames.map((field) => html`<p class="field"><label for="i-column-${field}">Heading of the ${field}</label><input id="i-column-${field}" name="column-${field}" autocomplete="off" spellcheck="false"></p>`)}
</details>
<p class="buttons"><button>Compare</button></p>
</form>`;
}

const selectField = (name: string, label: string, choices: Readonly<Record<string, string>>): Html =>
  html`<p class="field"><label for="i-${name}">${label}</label><select id="i-${name}" name="${name}">${Object.entries(choices).map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select></p>`;

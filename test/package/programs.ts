/** What users of the package write; `run.ts` runs each in a folder that holds nothing else. */

export const cdkApp = `
import { App, Stack } from 'aws-cdk-lib';
import { GenePanelNotifier } from 'gene-panel-notifier';

const stack = new Stack(new App(), 'Panels');
const notifier = new GenePanelNotifier(stack, 'Notifier', {
  prefix: 'panels',
  catalogues: { uk: { base: 'https://panelapp.example.org/api/v1/' } },
});
stack.exportValue(notifier.topics.classifications.topicArn);
`;

export const typeSettings = JSON.stringify({
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    noEmit: true,
    types: [],
  },
  include: ['*.ts'],
});

export const consumer = `
import type { PanelEvent } from 'gene-panel-notifier/consumer';

export const sentence = (event: PanelEvent): string => event.data.summary;
`;

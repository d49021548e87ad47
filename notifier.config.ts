import { defineSettings } from './lib/settings.ts';

/** PanelApp of Genomics England: needs no credential; one stack named gene-panel-notifier-production. */
export const settings = defineSettings({
  stages: {
    production: {
      catalogues: {
        uk: { base: 'https://panelapp.genomicsengland.co.uk/api/v1/' },
      },
      subscriptions: {
        // Genes that turn green; docs/deploying.md says why `unknown` is there.
        'green-genes': {
          filter: { to: ['green'], direction: ['upgraded', 'new', 'unknown'] },
          zone: 'Europe/London',
          channels: [
            // Put your own address here: `npx cdk synth` warns while there is none.
            // { kind: 'email', to: 'genetics@example.org' },
          ],
        },
        promotions: {
          filter: { topics: ['promotions'] },
          zone: 'Europe/London',
          channels: [
            // { kind: 'email', to: 'genetics@example.org' },
          ],
        },
      },
      alarms: {
        // Put your own addresses here: `npx cdk synth` warns while there are none.
        // email: 'genomics-it@example.org',
        // runbook: 'https://github.com/your-laboratory/gene-panel-notifier/blob/main/docs/runbook.md',
      },
    },
  },
});

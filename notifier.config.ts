import { defineSettings } from './lib/settings.ts';

/** PanelApp of Genomics England: read openly, one stack named gene-panel-notifier-production. */
export const settings = defineSettings({
  stages: {
    production: {
      catalogues: {
        uk: { base: 'https://panelapp.genomicsengland.co.uk/api/v1/' },
      },
      subscriptions: {
        // Whoever is to hear of genes that turn green; docs/deploying.md says why `unknown` is there.
        // 'green-genes': {
        //   topics: ['classifications'],
        //   email: 'genetics@example.org',
        //   filter: { ratingTo: ['green'], direction: ['upgraded', 'new', 'unknown'] },
        // },
      },
      alarms: {
        // Put your own addresses here: `npx cdk synth` warns while there are none.
        // email: 'genomics-it@example.org',
        // runbook: 'https://github.com/your-laboratory/gene-panel-notifier/blob/main/docs/runbook.md',
      },
    },
  },
});

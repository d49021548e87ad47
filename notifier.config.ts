import { defineSettings } from './lib/settings.ts';

/** PanelApp of Genomics England: read openly, one stack named gene-panel-notifier-production. */
export const settings = defineSettings({
  stages: {
    production: {
      catalogues: {
        uk: { base: 'https://panelapp.genomicsengland.co.uk/api/v1/' },
      },
      alarms: {
        // Put your own address here: `npx cdk synth` warns while there is none.
        // email: 'genomics-it@example.org',
      },
    },
  },
});

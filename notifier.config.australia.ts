import { defineSettings } from './lib/settings.ts';

/**
 * PanelApp Australia: asks some automated readers for a token, to be had from its operator. The stack makes
 * a secret that holds a random text, and prints its ARN; docs/deploying.md says what to put in its place.
 */
export const settings = defineSettings({
  name: 'panelapp-australia',
  stages: {
    production: {
      catalogues: {
        australia: {
          base: 'https://panelapp-aus.org/api/v1/',
          access: { kind: 'header' },
          // The whole site was once brought down by eager readers.
          pollEveryMinutes: 15,
          startWithinMinutes: 5,
          overlapMinutes: 60,
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

import { defineSettings } from './lib/settings.ts';

/**
 * PanelApp Australia, which requires a token of some automated readers; its operator issues it. The stack makes a
 * secret with a random text and prints its ARN; docs/deploying.md describes how to replace the text by the token.
 */
export const settings = defineSettings({
  name: 'panelapp-australia',
  stages: {
    production: {
      catalogues: {
        australia: {
          base: 'https://panelapp-aus.org/api/v1/',
          access: { kind: 'header' },
          // Too many requests of automated readers once made the whole site unavailable.
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

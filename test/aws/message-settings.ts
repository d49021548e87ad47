import type { SettingsInput } from '../../lib/settings.ts';
import type { Receivers } from './receivers.ts';

/** The disorder whose panels the laboratory tests. */
export const rCode = 'R54';
/** Genes of the saved log that the laboratory tests. */
export const testedGenes = ['MYBPC3', 'TTN', 'RP2', 'ACADVL', 'BRCA1', 'CHEK2'] as const;
/** A gene that the laboratory does not test. */
export const untestedGene = 'PKD1';
/** The names of the subscriptions. */
export const atOnce = 'ataxia';
const daily = 'ataxia-daily';
/** The addresses of the mails. */
export const addresses = {
  atOnce: 'lab@example.org',
  daily: 'daily@example.org',
  archived: 'archived@example.org',
  disagreements: 'disagreements@example.org',
  disagreementsDaily: 'disagreements-daily@example.org',
} as const;

/** Of four hundred genes most are of no interest to anybody here. */
const genes = [
  ...testedGenes,
  ...Array.from({ length: 400 - testedGenes.length }, (_, index) => `LOC${100_000 + index}`),
];

/** The name of the bus that gets every event. */
export const eventBus = 'platform';

/** One subscription over every kind of channel, a digest, and a bus. */
export const messageSettings = ({ mailPort }: Receivers) =>
  ({
    eventBus,
    messages: {
      relay: { host: '127.0.0.1', port: mailPort, security: 'none', from: 'Panels <panels@example.org>' },
    },
    operations: { zone: 'Europe/London', channels: [{ kind: 'slack', webhook: 'it-slack' }] },
    subscriptions: {
      [atOnce]: {
        filter: { catalogues: ['saved'], rCodes: [rCode], genes, to: ['green'] },
        settleMinutes: 0,
        channels: [
          { kind: 'email', to: addresses.atOnce },
          { kind: 'smtp', to: [addresses.atOnce] },
          { kind: 'slack', webhook: 'lab-slack' },
          { kind: 'teams', webhook: 'lab-teams' },
          { kind: 'amazon-q' },
          { kind: 'webhook', webhook: 'pipeline' },
          { kind: 'atom' },
        ],
      },
      [daily]: {
        filter: { catalogues: ['saved'], rCodes: [rCode], types: ['entity.classified'] },
        when: { digest: 'daily' },
        channels: [{ kind: 'smtp', to: [addresses.daily] }],
      },
      archived: {
        filter: { catalogues: ['archived'], to: ['green'] },
        settleMinutes: 0,
        channels: [{ kind: 'smtp', to: [addresses.archived] }],
      },
      disagreements: {
        filter: { topics: ['disagreements'] },
        settleMinutes: 0,
        channels: [{ kind: 'smtp', to: [addresses.disagreements] }],
      },
      'disagreements-daily': {
        filter: { topics: ['disagreements'] },
        when: { digest: 'daily', ifNothing: true },
        channels: [{ kind: 'smtp', to: [addresses.disagreementsDaily] }],
      },
    },
  }) satisfies Partial<SettingsInput['stages'][string]>;

/** What the code of subscribers imports as `gene-panel-notifier/consumer`. */
export type { PanelEvent } from '../lambdas/events/schemas.ts';

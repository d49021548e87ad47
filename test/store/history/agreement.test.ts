import { describeAgreement } from './agreement.ts';

describeAgreement({ events: 120, runs: 30 });

import { describeAgreement } from './agreement.ts';

describeAgreement({ events: 1500, runs: 1000 });

import { describeAgreement } from './agreement.ts';

describeAgreement({ events: 500, runs: 200 });

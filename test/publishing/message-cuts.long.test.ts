import { testMessageCuts } from './message-cuts.ts';

testMessageCuts({ runs: 40 });

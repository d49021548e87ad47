import { testRoundTrips } from './round-trips.ts';

testRoundTrips({ runs: 10, seed: 1 });

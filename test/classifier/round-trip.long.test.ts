import { testRoundTrips } from './round-trips.ts';

// `ROUND_TRIPS=5000 SEED=7` tries more, and others.
testRoundTrips({ runs: Number(process.env.ROUND_TRIPS ?? 300), seed: Number(process.env.SEED ?? 1) });

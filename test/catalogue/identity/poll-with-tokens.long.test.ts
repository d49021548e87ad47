import { test } from 'vitest';
import { pollThroughRotations } from './polling-harness.ts';

test('150 polls with tokens of five seconds lose and repeat nothing', () => pollThroughRotations(150));

import { readFileSync } from 'node:fs';
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';

const cdkJson = JSON.parse(readFileSync('cdk.json', 'utf8'));

describe('cdk.json', () => {
  test('sets every flag that this version of the CDK recommends', () => {
    expect(cdkJson.context).toMatchObject(recommended);
    expect(Object.keys(recommended).length).toBeGreaterThan(50);
  });

  test('requests no notices and reports nothing', () => {
    expect(cdkJson).toMatchObject({ app: 'node bin/app.ts', notices: false, versionReporting: false });
  });
});

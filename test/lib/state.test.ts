import { describe, expect, test } from 'vitest';
import { deploy, uk } from './deploy.ts';

const template = deploy({ catalogues: { uk } });

describe('the table', () => {
  test('is keyed as the position store writes it, and drops what has expired', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    });
  });

  test('is encrypted, can be restored to any moment, and cannot be deleted by mistake', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
    });
  });

  test('is billed by the request, as the load is small and uneven', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', { BillingMode: 'PAY_PER_REQUEST' });
  });

  test('outlives its stack', () => {
    template.hasResource('AWS::DynamoDB::Table', { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('is named in the outputs', () => {
    const [Ref] = Object.keys(template.findResources('AWS::DynamoDB::Table'));
    template.hasOutput('TableName', { Value: { Ref } });
  });
});

describe('an existing table', () => {
  const template = deploy({ catalogues: { uk }, existingTable: 'panels-of-old' });

  test('is gone on with instead of a new one', () => {
    expect(template.findResources('AWS::DynamoDB::Table')).toEqual({});
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { TABLE_NAME: 'panels-of-old' } },
    });
  });
});

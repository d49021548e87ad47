import { describe, expect, test } from 'vitest';
import { deploy, uk } from './deploy.ts';

const template = deploy({ catalogues: { uk } });

describe('the table', () => {
  test('has the keys that the state store writes', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    });
  });

  test('is encrypted, can be restored to any point in time, and is protected against deletion', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
    });
  });

  test('is billed by the request: the load is small and uneven', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', { BillingMode: 'PAY_PER_REQUEST' });
  });

  test('is retained when the stack is destroyed', () => {
    template.hasResource('AWS::DynamoDB::Table', { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  test('is named in the outputs', () => {
    const tables = Object.keys(template.findResources('AWS::DynamoDB::Table'));
    const history = tables.filter((id) => id.startsWith('NotifierHistory'));
    const [state] = tables.filter((id) => !history.includes(id));
    template.hasOutput('TableName', { Value: { Ref: state } });
    template.hasOutput('HistoryTable', { Value: { Ref: history[0] } });
  });
});

describe('an existing table', () => {
  const template = deploy({
    catalogues: { uk },
    existingTable: 'an-earlier-table',
    existingHistoryTable: 'an-earlier-history',
  });

  test('is used instead of a new one', () => {
    expect(template.findResources('AWS::DynamoDB::Table')).toEqual({});
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: { TABLE_NAME: 'an-earlier-table', HISTORY_TABLE_NAME: 'an-earlier-history' },
      },
    });
  });
});

describe('the table of a worklist', () => {
  const tablesOf = (settings: Parameters<typeof deploy>[0]) =>
    Object.entries(deploy(settings).findResources('AWS::DynamoDB::Table')).filter(([id]) =>
      id.startsWith('NotifierWorklist'),
    );

  test('is kept, protected and named in the outputs, where the settings have a worklist', () => {
    const settings = { catalogues: { uk }, worklist: { counts: 'signed-off' } } as const;
    const [[id, table] = ['', undefined], ...others] = tablesOf(settings);
    expect(others).toEqual([]);
    expect(table).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
      },
    });
    deploy(settings).hasOutput('WorklistTable', { Value: { Ref: id } });
  });

  test('is there only where the settings have a worklist, and an earlier one can be continued with', () => {
    expect(tablesOf({ catalogues: { uk } })).toEqual([]);
    const settings = { catalogues: { uk }, worklist: {}, existingWorklistTable: 'an-earlier-worklist' };
    expect(tablesOf(settings)).toEqual([]);
    deploy(settings).hasOutput('WorklistTable', { Value: 'an-earlier-worklist' });
  });
});

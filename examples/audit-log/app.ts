import { App } from 'aws-cdk-lib';
import settings from './settings.json' with { type: 'json' };
import { AuditLogStack, readSettings } from './stack.ts';

new AuditLogStack(new App(), 'audit-log', readSettings(settings));

import { App } from 'aws-cdk-lib';
import settings from './settings.json' with { type: 'json' };
import { ReAnalysisStack } from './stack.ts';

new ReAnalysisStack(new App(), 're-analysis', settings);

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from '../../../sandbox/http.ts';
import { startInspectingProxy } from '../../catalogue/http/fixtures/inspecting-proxy.ts';
import type { Deployment } from '../deployment.ts';
import { messageSettings } from '../message-settings.ts';
import { pageSettings } from '../page-settings.ts';
import { startFunction } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

const host = 'catalogue.hospital.example';

/** A hospital's network: its proxy opens TLS with an authority of its own, which the settings name. */
export async function checkCertificates(context: ScenarioContext, _before: Deployment): Promise<void> {
  const { catalogues, checks, folder, stage } = context;
  const authority = selfSigned({
    host,
    from: new Date('2020-01-01T00:00:00Z'),
    until: new Date('2049-12-31T00:00:00Z'),
  });
  const certificates = join(folder, 'hospital-ca.pem');
  writeFileSync(certificates, authority.cert);
  const proxy = await startInspectingProxy(
    authority,
    new Map([[host, new URL(catalogues.madeUp.url).origin]]),
  );
  try {
    const deployment = await stage.deploy({
      catalogues: { hospital: { base: `https://${host}/api/v1/` } },
      ...messageSettings(context.receivers),
      ...pageSettings(context.catalogues),
      subscriptions: {},
      network: {
        vpc: 'vpc-0a1b2c3d',
        subnets: ['subnet-0a1b2c3d'],
        securityGroups: ['sg-0a1b2c3d'],
        proxy: proxy.url,
        certificates,
      },
    });
    for (const job of ['poll', 'sweep', 'prove'])
      await checks.check(`the deployed ${job} reads a catalogue through the proxy`, async () => {
        const running = await startFunction(context, { deployment, name: `${job}-hospital` });
        try {
          assert.match(running.deployed.environment.NODE_EXTRA_CA_CERTS ?? '', /^\/opt\//);
          const before = proxy.seen.length;
          const outcome = await running.runtime.invoke({});
          assert.ok(outcome.ok, JSON.stringify(outcome));
          assert.ok(proxy.seen.length > before);
        } finally {
          await running.stop();
        }
      });
  } finally {
    proxy.close();
  }
}

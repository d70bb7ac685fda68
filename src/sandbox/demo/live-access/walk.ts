import { fileURLToPath } from 'node:url';
import { say } from '../caller.ts';
import { logInAs } from '../cast.ts';
import { type Environment, runCommand } from '../commands.ts';
import { readAsAgency } from './agency.ts';
import { goLive } from './going-live.ts';
import { payByAggregator } from './paying.ts';
import { startLiveRail } from './rail.ts';

const CATALOGUE = fileURLToPath(new URL('../../../../prisma/catalogue/UG.json', import.meta.url));

/**
 * Shows who gets into a live rail, who may report a payment, and who sees which agency: on a rail that is started for
 * it, and goes away afterwards.
 */
export async function walkLiveAccess(env: Environment, databaseUrl: string | null): Promise<void> {
  say('A rail in live mode, on a new database, with simulators of the aggregators and agencies behind it');
  const rail = await startLiveRail(env, databaseUrl);
  try {
    await runCommand(['catalogue:load', '--file', CATALOGUE], rail.environment);
    const log = async (role: string, agency?: string) => {
      const { email, cookie } = await logInAs(rail.base, role, agency, rail.environment);
      return { ...rail.callAs({ cookie }), email };
    };
    const [operator, second, clerk, mine, other] = await Promise.all([
      log('admin'),
      log('system_manager'),
      log('clerk', 'URA'),
      log('finance_officer', 'URA'),
      log('finance_officer', 'KCCA'),
    ]);
    const integrator = await goLive(rail, operator, second);
    const intent = await payByAggregator(integrator, clerk);
    await readAsAgency(rail, [operator, second], intent);

    say('Officers see what is of their own agency, and nothing else');
    await mine.get(`/v1/payment-intents/${intent}`);
    await other.refused(404, 'GET', `/v1/payment-intents/${intent}`);
    const seen = await other.get<unknown[]>('/v1/payment-intents');
    if (seen.length > 0) throw new Error('An officer sees payments of another agency');

    say('A clerk leaves: their session is over with the next request');
    await clerk.get('/v1/counter-shifts');
    await operator.post(`/v1/ops/staff/${encodeURIComponent(clerk.email)}:deactivate`, { reason: 'Left the office' });
    await clerk.refused(401, 'GET', '/v1/counter-shifts');

    say('An integrator whose account is no longer live is stopped as fast, and so is one that is suspended');
    await integrator.live.get('/v1/assessments?limit=1');
    const account = `/v1/ops/integrators/${integrator.code}`;
    await operator.patch(account, { tier: 'sandbox', reason: 'The licence ran out' });
    await integrator.live.refused(403, 'GET', '/v1/assessments?limit=1');
    await operator.post(`${account}:suspend`, { reason: 'Asked by the legal department' });
    await integrator.live.refused(401, 'GET', '/v1/me');
    await rail.callAs().get('/v1/notices');
    await operator.get(`/v1/ops/audit?subject=${integrator.code}&limit=5`);
    say('Whoever was to get in got in, and nobody else');
  } finally {
    await rail.close();
  }
}

import { expect, it } from 'vitest';
import { sql } from '../../../src/platform/database/sql.ts';
import { someCitizen } from '../../harness/flow.ts';
import { testRail } from '../../harness/rail.ts';
import { BareFlow } from './bare-flow.ts';

const rail = testRail();

it.each(['statement by statement', 'one statement a step'] as const)(
  'writes the rows of a payment, %s, as the tables are now',
  async (sending) => {
    const services = [];
    for (const mda of ['URA', 'URSB']) services.push((await rail.ask(`/v1/services?mda=${mda}&limit=1`)).data[0]);
    const { integrator, name: key } = await rail.key('payments.initiate');
    const subject = { citizen: await someCitizen(rail), services, integrator, key };
    const flow = new BareFlow(rail.url, () => subject, sending);
    await flow.once();
    await flow.close();
    expect(await rail.count(sql`select from assessment where integrator = ${integrator} and status = 'Paid'`)).toBe(1);
    expect(await rail.count(sql`select from payment_event where integrator = ${integrator}`)).toBe(2);
  },
);

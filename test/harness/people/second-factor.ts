import { generateSync } from 'otplib';
import type { TestRail } from '../rail.ts';
import type { Rail } from '../../../src/platform/call/call.ts';

/** An authenticator app with a secret, by the clock of a rail. */
export interface Authenticator {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The code of a step of time: the present one, or one that many steps later. */
  code(steps?: number): string;
}

/** The code that an app shows at the time of a rail. */
export function codeOf(rail: Pick<Rail, 'now'>, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(rail.now().getTime() / 1_000) + steps * 30 });
}

/** Enrols a second factor for whoever is logged in. */
export async function enrol(rail: TestRail, cookie: string): Promise<Authenticator> {
  const ask = (path: string, body: object) => rail.ask(`/v1/work/second-factor:${path}`, { body, headers: { cookie } });
  const { data } = await ask('enrol', {});
  const confirmed = await ask('confirm', { code: codeOf(rail.rail, data.secret) });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  const code = (steps = 0) => codeOf(rail.rail, data.secret, steps);
  return { secret: data.secret, recoveryCodes: confirmed.data.recovery_codes, code };
}

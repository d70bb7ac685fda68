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

/** Seconds for which a code is shown. */
const STEP_SECONDS = 30;

/**
 * Moves past the codes that were used, to the beginning of a step: what follows has all of it to itself, so that
 * codes of the steps before and after it stay that.
 */
export function passCodes(rail: TestRail): void {
  const seconds = rail.rail.now().getTime() / 1_000;
  rail.advance((3 * STEP_SECONDS - (seconds % STEP_SECONDS)) / 3_600);
}

/** The code that an app shows at the time of a rail. */
export function codeOf(rail: Pick<Rail, 'now'>, secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(rail.now().getTime() / 1_000) + steps * STEP_SECONDS });
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

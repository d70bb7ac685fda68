import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { refuseValue } from '../../kernel/refusal.ts';
import { countCharacters } from '../../kernel/text/free-text.ts';
import { say } from '../../kernel/text/said.ts';

const SHORTEST_PASSWORD = 12;
/** More than this is not read: hashing it would take long. */
export const LONGEST_PASSWORD = 1_000;
/** The least strength, from 0 to 4; 3 is more than 10^8 guesses by somebody who knows which passwords are common. */
const LEAST_SCORE = 3;
/** Characters of a password that are judged, which takes time that grows with them; of a longer one, its beginning. */
const LONGEST_JUDGED = 100;
/** Words that anybody would try here. */
const OF_THIS_RAIL = ['revenue', 'rail', 'revenue rail', 'government', 'authority'];

let judge: Promise<ZxcvbnFactory> | null = null;

/** Owner of the new password. */
interface Holder {
  readonly email: string;
  readonly name: string;
}

/**
 * A new password, if it is one: at least 12 characters, and neither common, found in a breach, nor made of the name or
 * address of its holder. Nothing of it leaves the process.
 */
export async function requirePassword(path: string, password: string, { email, name }: Holder): Promise<string> {
  if (countCharacters(password) < SHORTEST_PASSWORD)
    throw refuseValue(path, say`must have at least ${SHORTEST_PASSWORD} characters`, 'password_too_short');
  if (password.length > LONGEST_PASSWORD)
    throw refuseValue(path, say`must have at most ${LONGEST_PASSWORD} characters`);
  const own = [email, name, ...email.split(/[^\p{L}\p{N}]+/u), ...name.split(/\s+/)].filter(({ length }) => length > 2);
  const { score, feedback } = (await openJudge()).check(password.slice(0, LONGEST_JUDGED), [...own, ...OF_THIS_RAIL]);
  if (score < LEAST_SCORE)
    throw refuseValue(
      path,
      feedback.warning === 'userInputs'
        ? 'must not be made of your name or address'
        : 'is too common or too easily guessed; choose a longer one, or several unrelated words',
      'password_too_weak',
    );
  return password;
}

/** The dictionaries take 6 MB and a tenth of a second: they are read when the first password is chosen. */
export function openJudge(): Promise<ZxcvbnFactory> {
  judge ??= (async () => {
    const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ]);
    return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  })();
  return judge;
}

import { createHash, randomBytes } from 'node:crypto';
import { readCopied } from '../../kernel/text/typed.ts';
import type { Call } from '../../platform/call/call.ts';
import { type Step, step } from '../../platform/change/step.ts';

/** Without the signs that are read for one another. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;
const RECOVERY_CODES = 10;

/** New recovery codes: each 80 bits by chance, such as `K7QM-2XRA-9DVE-HT4C`. */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    // 32 signs: each byte is as likely to be any of them.
    const signs = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]!).join('');
    return signs.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g'))!.join('-');
  });
}

/** Stored hash of a recovery code, however it was typed. */
export function hashRecoveryCode(code: string): Buffer {
  return createHash('sha256').update(readCopied(code).toUpperCase()).digest();
}

/** The step that drops the recovery codes of the member of staff whose `email` a step yields. */
export function dropRecoveryCodes(holder: Step): Step {
  return step('dropped')`delete from staff_recovery_code r using ${holder} h where r.staff = h.email`;
}

/** The steps that replace them by new recovery codes. */
export function replaceRecoveryCodes({ now }: Pick<Call, 'now'>, codes: readonly string[], holder: Step): Step[] {
  return [
    dropRecoveryCodes(holder),
    step('recoverable')`
      insert into staff_recovery_code (staff, hash, created_at)
      select h.email, c.hash, ${now()} from ${holder} h, unnest(${codes.map(hashRecoveryCode)}::bytea[]) c (hash)`,
  ];
}

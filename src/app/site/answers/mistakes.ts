import { LOCK } from '../../../counter/staff/attempts.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import { MISSING } from '../operations/fields.ts';
import type { Texts } from '../languages/texts.ts';

/** What is wrong, and with which field of a form. */
export interface Mistake {
  readonly field: string | null;
  readonly text: string;
}

/** Why something was refused, in the language of whoever asked for it where pages know of the reason. */
export function mistakesOf({ code, message, details, quota }: Refusal, { t, has, duration }: Texts): Mistake[] {
  const named = `refusal.${code}`;
  if (code === 'rate_limited' && quota)
    return [{ field: null, text: t(named, { wait: duration(quota.resetSeconds) }) }];
  if (quota?.name === LOCK)
    return [{ field: null, text: t('refusal.login_locked', { wait: duration(quota.resetSeconds) }) }];
  if (details.length === 0) return [{ field: null, text: has(named) ? t(named) : message }];
  return details.map((detail) => {
    const field = has(`field.${detail.path}`) ? detail.path : null;
    if (field && detail.message === MISSING)
      return { field, text: t('refusal.missing', { field: t(`field.${field}`) }) };
    if (has(`refusal.${detail.code}`)) return { field, text: t(`refusal.${detail.code}`) };
    return { field, text: `${field ? t(`field.${field}`) : detail.path} ${detail.message}`.trim() };
  });
}

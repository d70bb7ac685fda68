import type { Translated } from './said.ts';
import type { Texts } from './texts.ts';

/** Messages for the reasons that providers give. Spelled as MTN's codes are: `Do not honor` is DO_NOT_HONOR. */
const MEANINGS = new Map(
  Object.entries({
    PAYER_DECLINED: 'declined',
    APPROVAL_REJECTED: 'declined',
    PAYMENT_NOT_APPROVED: 'declined',
    TRANSACTION_CANCELED: 'declined',
    TRANSACTION_DECLINED_BY_THE_PAYER: 'declined',
    DECLINED_BY_THE_CARD_ISSUER: 'cardDeclined',
    DO_NOT_HONOR: 'cardDeclined',
    EXPIRED_CARD: 'cardExpired',
    EXPIRED: 'late',
    TRANSACTION_TIMED_OUT: 'late',
    NOT_ENOUGH_FUNDS: 'funds',
    INSUFFICIENT_FUNDS: 'funds',
    INSUFFICIENT_BALANCE: 'funds',
    PAYER_LIMIT_REACHED: 'limit',
    INCORRECT_PIN: 'pin',
    INVALID_PIN: 'pin',
    PAYER_NOT_FOUND: 'unknown',
    NOT_ALLOWED: 'notPermitted',
    TRANSACTION_NOT_PERMITTED: 'notPermitted',
    PAYEE_NOT_FOUND: 'connection',
    PAYEE_NOT_ALLOWED_TO_RECEIVE: 'connection',
    NOT_ALLOWED_TARGET_ENVIRONMENT: 'connection',
    INVALID_CALLBACK_URL_HOST: 'connection',
    INVALID_CURRENCY: 'connection',
    INTERNAL_PROCESSING_ERROR: 'provider',
    SERVICE_UNAVAILABLE: 'provider',
  }),
);

/** Words for a payment's failure, with the provider's as a note; these alone, if the failure is not known. */
export function wordFailure(
  reason: string,
  { t, language }: Pick<Texts, 't' | 'language'>,
): Translated & { readonly note: string | null } {
  const meaning = MEANINGS.get(reason.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_'));
  if (meaning === undefined) return { text: reason, lang: language === 'en' ? null : 'en', note: null };
  return { text: t(`failureReason.${meaning}`), lang: null, note: reason };
}

import type { Language } from '../../../graphql/input/languages.ts';
import type { PayerMessageKind } from '../../../generated/prisma/enums.ts';

const FRENCH = [
  'BF',
  'BI',
  'BJ',
  'CD',
  'CF',
  'CG',
  'CI',
  'CM',
  'DJ',
  'GA',
  'GN',
  'KM',
  'MG',
  'ML',
  'NE',
  'SN',
  'TD',
  'TG',
];
/** In which language people of a country are notified of their payments who chose none; English in all others. */
export const LANGUAGE_OF_COUNTRY: Readonly<Record<string, Language>> = {
  ...Object.fromEntries(FRENCH.map((country) => [country, 'fr' as const])),
  TZ: 'sw',
};

export const ELSEWHERE: Language = 'en';

/** Text for a payer; `{…}` is filled in. */
interface Words extends Readonly<Record<PayerMessageKind, string>> {
  /** The demand of what no day is set for. */
  readonly demandUndated: string;
  readonly subjects: Readonly<Record<PayerMessageKind, string>>;
  /** Instructions to stop texts, and the effect of the link in a letter. */
  readonly stop: string;
  readonly stopLetters: string;
}

export const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    reference_issued: 'Pay {amount} to {agencies} with the number {number} by {until}.',
    paid: 'Payment of {amount} to {agencies} received. Receipt {receipt}',
    reversed: 'The payment of {amount} to {agencies} was reversed. Receipt {receipt} is void.',
    unmatched: '{amount} for {agencies} did not pay the {owed} owed. Staff will use it or return it: quote {number}.',
    refunded: '{amount} of your payment to {agencies} was refunded. Reference {number}',
    demand: 'Pay {amount} to {agencies} by {until}. Quote {number}.',
    demandUndated: 'Pay {amount} to {agencies}. Quote {number}.',
    subjects: {
      reference_issued: 'Your payment reference',
      paid: 'Your receipt',
      reversed: 'A payment was reversed',
      unmatched: 'Money that paid nothing yet',
      refunded: 'Your refund',
      demand: 'Your assessment',
    },
    stop: 'Reply STOP to get no more.',
    stopLetters: 'Get no more e-mail about these payments',
  },
  fr: {
    reference_issued: 'Payez {amount} à {agencies} avec le numéro {number} avant le {until}.',
    paid: 'Paiement de {amount} à {agencies} reçu. Reçu {receipt}',
    reversed: 'Le paiement de {amount} à {agencies} a été annulé. Le reçu {receipt} n’est plus valable.',
    unmatched: '{amount} pour {agencies} n’ont pas payé les {owed} dus. Ils seront imputés ou rendus : citez {number}.',
    refunded: '{amount} de votre paiement à {agencies} vous ont été remboursés. Référence {number}',
    demand: 'Payez {amount} à {agencies} avant le {until}. Citez {number}.',
    demandUndated: 'Payez {amount} à {agencies}. Citez {number}.',
    subjects: {
      reference_issued: 'Votre référence de paiement',
      paid: 'Votre reçu',
      reversed: 'Un paiement a été annulé',
      unmatched: 'De l’argent qui n’a encore rien payé',
      refunded: 'Votre remboursement',
      demand: 'Votre avis de paiement',
    },
    stop: 'STOP pour ne plus rien recevoir.',
    stopLetters: 'Ne plus recevoir de courriel sur ces paiements',
  },
  sw: {
    reference_issued: 'Lipa {amount} kwa {agencies} kwa namba {number} kabla ya {until}.',
    paid: 'Malipo ya {amount} kwa {agencies} yamepokelewa. Risiti {receipt}',
    reversed: 'Malipo ya {amount} kwa {agencies} yamerudishwa. Risiti {receipt} ni batili.',
    unmatched: '{amount} kwa {agencies} hazikulipa deni la {owed}. Zitatumika au zitarudishwa: taja {number}.',
    refunded: '{amount} za malipo yako kwa {agencies} zimerejeshwa. Namba {number}',
    demand: 'Lipa {amount} kwa {agencies} kabla ya {until}. Taja {number}.',
    demandUndated: 'Lipa {amount} kwa {agencies}. Taja {number}.',
    subjects: {
      reference_issued: 'Namba yako ya malipo',
      paid: 'Risiti yako',
      reversed: 'Malipo yamerudishwa',
      unmatched: 'Fedha ambazo bado hazijalipa kitu',
      refunded: 'Marejesho yako',
      demand: 'Tathmini yako',
    },
    stop: 'Jibu STOP kusitisha.',
    stopLetters: 'Usipate tena barua pepe kuhusu malipo haya',
  },
  lg: {
    reference_issued: 'Sasula {amount} mu {agencies} n’ennamba {number} nga {until} tennayita.',
    paid: 'Okusasula okwa {amount} mu {agencies} kutuuse. Lisiiti {receipt}',
    reversed: 'Okusasula okwa {amount} mu {agencies} kuzziddwayo. Lisiiti {receipt} efudde.',
    unmatched:
      '{amount} eza {agencies} tezisasudde bbanja lya {owed}. Zijja kukozesebwa oba kuddizibwa: yogera {number}.',
    refunded: '{amount} ez’okusasula kwo mu {agencies} zikuddiziddwa. Ennamba {number}',
    demand: 'Sasula {amount} mu {agencies} nga {until} tennayita. Yogera {number}.',
    demandUndated: 'Sasula {amount} mu {agencies}. Yogera {number}.',
    subjects: {
      reference_issued: 'Ennamba yo ey’okusasulirako',
      paid: 'Lisiiti yo',
      reversed: 'Okusasula kuzziddwayo',
      unmatched: 'Ssente ezitannasasula kintu',
      refunded: 'Ssente zo eziddiziddwa',
      demand: 'Okubalirira kwo',
    },
    stop: 'Ddamu STOP okukomya.',
    stopLetters: 'Lekera awo okufuna email ezikwata ku kusasula kuno',
  },
};

/** Answers of people to get no more texts, and to get them again, without accents. */
export const STOP: ReadonlySet<string> = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'ARRET', 'SITISHA', 'KOMYA']);
export const START: ReadonlySet<string> = new Set(['START', 'UNSTOP', 'REPRENDRE', 'ANZA', 'TANDIKA']);
